# RUN: %python %s
"""More objects of one class than a name may be one of, each made by a call of its own: the program of a machine, from which steps take the next one."""
import npcc


class Instruction:
    def __init__(self, code, number):
        self.code = code
        self.number = number


class Assembler:
    def __init__(self):
        self.program = []

    def emit(self, code, number=0):
        self.program.append(Instruction(code, number))


def run(n):
    assembler = Assembler()
    assembler.emit("push", 1)
    assembler.emit("push", 0)
    assembler.emit("add", 2)
    assembler.emit("double")
    assembler.emit("less", n)
    assembler.emit("jump", 2)
    assembler.emit("add", 5)
    assembler.emit("double")
    assembler.emit("add", 1)
    assembler.emit("stop")
    program = assembler.program
    stack = []
    place = 0
    while program[place].code != "stop":
        one = program[place]
        place += 1
        if one.code == "push":
            stack.append(one.number)
        elif one.code == "add":
            stack[-1] = stack[-1] + one.number
        elif one.code == "double":
            stack[-1] = 2 * stack[-1]
        elif one.code == "less":
            stack.append(1 if stack[-1] < one.number else 0)
        elif stack.pop() == 1:
            place = one.number
    return stack, place, len(program)


for n in (0, 50):
    assert npcc.jit(run)(n) == run(n), n
