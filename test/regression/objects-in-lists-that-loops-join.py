# RUN: %python %s
"""A list of objects that a loop makes of a part of itself and of one that has grown ended the process: the objects' numbers were in a list with room for
more on one path, and in one without on the other. The attributes of the objects come in the order in which the program gives them."""
import numpy as np

import npcc


class Individual:
    def __init__(self, genes):
        self.genes = genes
        self.fitness = None
        self.age = 0

    def evaluate(self, weights):
        self.fitness = np.dot(self.genes, weights)


@npcc.jit(target="cpu")
def evolve(weights, generations, size):
    population = [Individual(np.arange(len(weights)) % (k + 2)) for k in range(size)]
    best = []
    for _ in range(generations):
        for one in population:
            one.evaluate(weights)
        population.sort(key=lambda one: one.fitness, reverse=True)
        best.append(population[0].fitness)
        parents = population[: size // 2]
        children = []
        while len(children) < size - len(parents):
            first = parents[len(children) % len(parents)]
            children.append(Individual(first.genes[::-1].copy()))
        population = parents + children
    return best, population[-1]


weights = np.array([3, 1, 4, 1, 5])
best, last = evolve(weights, 4, 6)
wanted, other = evolve.py_func(weights, 4, 6)
assert best == wanted
assert list(vars(last)) == list(vars(other)) == ["genes", "fitness", "age"]
assert last.genes.tolist() == other.genes.tolist() and last.fitness is other.fitness is None
