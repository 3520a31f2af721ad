"""Tests run programs in processes of their own: there numba.cuda is npcc.cuda too."""
import os
import sys

if os.environ.get("NPCC_STANDIN_FOR_NUMBA"):
    sys.path.append(os.environ["NPCC_STANDIN_FOR_NUMBA"])
    from conformance.threads import standin

    standin.install()
