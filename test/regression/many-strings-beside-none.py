# RUN: %python %s
"""A name that holds None or one of more strings than are told apart holds None or any string."""
import npcc


@npcc.jit
def placed(text):
    board = [[None] * 4 for _ in range(3)]
    for r, row in enumerate(text.split("/")):
        c = 0
        for ch in row:
            if ch.isdigit():
                c += int(ch)
            else:
                board[r][c] = ch
                c += 1
    return board


@npcc.jit
def reached(text, r, c):
    board, found = [[None] * 4 for _ in range(3)], []
    for y, row in enumerate(text.split("/")):
        for x, ch in enumerate(row):
            if ch != ".":
                board[y][x] = ch
    while 0 <= r < 3 and 0 <= c < 4:
        there = board[r][c]
        if there is None:
            found.append((r, c))
        elif there.isupper():
            found.append((there, c))
        r, c = r + 1, c + 1
    return found


assert placed("rn2/P1QK/2bk") == placed.py_func("rn2/P1QK/2bk")
text = "rnbq/P.QK/.NBk"
for r in range(3):
    for c in range(4):
        assert reached(text, r, c) == reached.py_func(text, r, c), (r, c)
