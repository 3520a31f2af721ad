# RUN: %python %s
# The place of a string of the program in a global list was refused where what the function does with it is imported again.
import numpy as np

import npcc

NOTES = "C C# D D# E".split()


def chroma(note):
    row = np.zeros(5)
    row[NOTES.index(note)] = 1 + NOTES.count(note)
    return row


def chromas(n):
    song = [NOTES[k] for k in np.arange(n)]
    return np.array([chroma(note) for note in song])


assert np.array_equal(npcc.jit(target="cpu")(chromas)(4), chromas(4))
