# RUN: %python %s
"""An object among the arguments could not be an item of a list that grows, as of a queue of tuples, nor could a member of an enumeration beside it."""
import heapq
from enum import Enum

import numpy as np

import npcc


class Kind(Enum):
    ARRIVE = 0
    DEPART = 1


class Train:
    def __init__(self, name, start):
        self.name, self.start, self.at = name, start, 0
        self.log, self.loads, self.track = [], np.zeros(3), None


def run(trains, distances):
    events, count = [], 0
    for train in trains:
        heapq.heappush(events, (train.start, count, Kind.ARRIVE, train))
        count += 1
    while events:
        time, _, kind, train = heapq.heappop(events)
        if kind is Kind.ARRIVE:
            train.log.append((train.at, time))
            if train.at < len(distances):
                heapq.heappush(events, (time + 0.5, count, Kind.DEPART, train))
        else:
            train.loads[train.at] += time
            train.at += 1
            heapq.heappush(events, (time + distances[train.at - 1], count, Kind.ARRIVE, train))
        count += 1
    return trains[0], trains[1].loads, {train.name: len(train.log) for train in trains}


def called(function):
    trains = [Train("local", 0.0), Train("express", 0.25)]
    parts = [(train, train.log, train.loads) for train in trains]
    first, loads, counts = function(trains, [1.5, 2.0, 0.5])
    are_same = all(train is one and train.log is log and train.loads is loads for train, (one, log, loads) in zip(trains, parts))
    assert first is trains[0] and loads is trains[1].loads and are_same
    return counts, [(train.name, train.start, train.at, train.log, train.loads.tolist(), train.track) for train in trains]


compiled = npcc.jit(run, target="cpu")
assert called(compiled) == called(run)
