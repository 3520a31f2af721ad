"""Many functions through many lists of passes, with as few starts of npcc-opt as can be.

Starting npcc-opt is most of the work for one function, so it gets all functions of a batch at once. Lists of passes that begin alike go on from
what their beginning has printed. And most passes leave most functions as they are: a text that was judged once is not judged again.
"""
from __future__ import annotations

from . import passes as lists
from .judging import FAILURES, compare, judge, optimize, what_stopped

SPLIT = "\n// -----\n"


class Batch:
    def __init__(self, opt, cases, limit):
        """Cases are (text, arguments, what the function gives for them)."""
        self.opt, self.cases, self.limit = opt, cases, limit
        self._begun = {}  # beginnings of lists of passes -> what they print
        self._verifies = {}  # text -> whether npcc-opt takes it
        self._compared = {}  # (number of the case, text, whether it can be interpreted) -> verdict

    def verdicts(self, passes):
        """(verdict, detail, the passes and the text that show it) of each case."""
        beginning = next((shared for shared in lists.SHARED if shared == passes[:len(shared)] and len(shared) < len(passes)), [])
        texts = [case[0] for case in self.cases]
        if beginning:
            if tuple(beginning) not in self._begun:
                self._begun[tuple(beginning)] = self._outputs(beginning, texts)
            begun = self._begun[tuple(beginning)]
        else:
            begun = [(text, None) for text in texts]
        rest = passes[len(beginning):]
        outputs = list(begun)  # the refusals of the beginning are those of all that it begins
        running = [k for k, (_, refusal) in enumerate(begun) if refusal is None]
        for k, output in zip(running, self._outputs(rest, [begun[k][0] for k in running])):
            outputs[k] = output
        self._verify([text for text, refusal in outputs if refusal is None])
        return [self._verdict(k, passes, rest, begun[k][0], *output) for k, output in enumerate(outputs)]

    def _outputs(self, passes, texts):
        """(what npcc-opt prints, None) or (nothing, the verdict) for each text; in halves where it fails for all of them at once."""
        if not texts:
            return []
        status, out, errors = optimize(self.opt, passes, SPLIT.join(texts), self.limit, *(["--split-input-file"] if len(texts) > 1 else []))
        if len(texts) == 1:
            return [(out, what_stopped(status, errors))]
        outputs = [text.strip() + "\n" for text in out.split(SPLIT.strip())]
        if status == 0 and not errors and len(outputs) == len(texts):
            return [(text, None) for text in outputs]
        middle = len(texts) // 2
        return self._outputs(passes, texts[:middle]) + self._outputs(passes, texts[middle:])

    def _verify(self, texts):
        new = [text for text in dict.fromkeys(texts) if text not in self._verifies]
        for text, (_, refusal) in zip(new, self._outputs([], new)):
            self._verifies[text] = refusal is None

    def _verdict(self, k, passes, rest, begun, text, refusal):
        if refusal is None:
            if not self._verifies[text]:
                refusal = "invalid output", ""
            else:
                key = k, text, bool(lists.BEYOND.intersection(passes))
                if key not in self._compared:
                    self._compared[key] = compare(passes, text, *self.cases[k][1:])
                refusal = self._compared[key]
        if refusal[0] not in FAILURES or rest == passes:
            return *refusal, passes, self.cases[k][0]
        # Shown by all passes where that fails too, because the function is shorter there.
        whole = judge(self.opt, passes, *self.cases[k], self.limit)
        if whole[0] in FAILURES:
            return *whole, passes, self.cases[k][0]
        return *judge(self.opt, rest, begun, *self.cases[k][1:], self.limit), rest, begun
