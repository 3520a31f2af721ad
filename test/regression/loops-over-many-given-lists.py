# RUN: %python %s
# A loop over a list of lists that is an argument is straight code for each of them. Where each of these chooses among all
# of the lists, that took minutes to compile from a hundred on: it is left to Python now.
import npcc


def mutual(near):
    count = 0
    for here, others in enumerate(near):
        for other in others:
            if here in near[other]:
                count += 1
    return count


for size in (6, 200):
    near = [[(k * 7 + j) % size for j in range(k % 5)] for k in range(size)]
    assert npcc.jit(target="cpu")(mutual)(near) == mutual(near)
