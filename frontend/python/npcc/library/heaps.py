"""The module heapq: lists whose first item is the smallest, by the order that a binary tree has in a list."""
import heapq

from npcc.library.routines import called

from . import implements


@implements(heapq.heappush)
def heappush(heap, item):
    heap.append(item)
    rise(heap, 0, len(heap) - 1)


@implements(heapq.heappop)
def heappop(heap):
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    if len(heap) > 0:
        first = heap[0]
        heap[0] = last
        sink(heap, 0)
        return first
    return last


@implements(heapq.heapify)
def heapify(x):
    for position in range(len(x) // 2 - 1, -1, -1):
        sink(x, position)


@implements(heapq.heappushpop)
def heappushpop(heap, item):
    given = item
    if len(heap) > 0 and heap[0] < item:
        given = heap[0]
        heap[0] = item
        sink(heap, 0)
    return given


@implements(heapq.heapreplace)
def heapreplace(heap, item):
    if len(heap) == 0:
        raise IndexError("index out of range")
    given = heap[0]
    heap[0] = item
    sink(heap, 0)
    return given


@implements(heapq.nsmallest)
def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:n]


@implements(heapq.nlargest)
def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:n]


@called(changes=True)
def rise(heap, top, position):
    """Moves an item towards the top, past all that are larger."""
    item = heap[position]
    while position > top:
        parent = (position - 1) >> 1
        if not item < heap[parent]:
            break
        heap[position] = heap[parent]
        position = parent
    heap[position] = item


@called(changes=True)
def sink(heap, position):
    """Moves an item down to a leaf, after the smaller child each time, and from there up to where it belongs."""
    top, end = position, len(heap)
    item = heap[position]
    child = 2 * position + 1
    while child < end:
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child += 1
        heap[position] = heap[child]
        position = child
        child = 2 * position + 1
    heap[position] = item
    rise(heap, top, position)
