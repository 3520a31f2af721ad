"""Copies of lists whose length is known at run time only."""
import copy


def list_of(objects):
    """A deep copy of a list of objects: one that is there twice is so in the copy."""
    copies = []
    for place in range(len(objects)):
        for earlier in range(place):
            if objects[earlier] is objects[place]:
                copies.append(copies[earlier])
                break
        else:
            copies.append(copy.deepcopy(objects[place]))
    return copies
