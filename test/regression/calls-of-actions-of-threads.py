# RUN: %python %s
"""A name of an action of threads that is neither a barrier nor a fence is no function: an error of the program, not of its IR."""
import numpy as np

import npcc
from npcc import cuda
from npcc.threads.names import ThreadName

vote_all, ballot, lane_id = map(ThreadName, ("vote_all", "ballot", "lane_id"))


@cuda.jit
def votes(x):
    vote_all()


@cuda.jit
def ballots(x):
    ballot()


@cuda.jit
def lanes(x):
    lane_id()


@npcc.jit(target="cpu")
def launch_votes(x):
    votes[1, 32](x)


@npcc.jit(target="cpu")
def launch_ballots(x):
    ballots[1, 32](x)


@npcc.jit(target="cpu")
def launch_lanes(x):
    lanes[1, 32](x)


for launch, name in ((launch_votes, "vote_all"), (launch_ballots, "ballot"), (launch_lanes, "lane_id")):
    try:
        launch(np.zeros(32))
    except Exception as error:
        assert f"TypeError: cuda.{name} is not a function" in str(error), error
    else:
        raise AssertionError(name)
