"""In which form a call is compiled: with its arguments as they are, taken apart, with lists that grow, or with objects of Python's own."""
import contextlib

from . import _npcc, assigned, python_random, structures
from .errors import CompileError
from .versions import NeedsObjects

MOST_STRINGS = 4  # of parameters, that a function is compiled for
MOST_REFUSED = 8  # forms of arguments, where no other could be compiled: then no more are tried, nor are arguments taken apart
RUN_IN_PYTHON = object()  # what a call of parts gives whose function Python runs


@contextlib.contextmanager
def unless_refused():
    """Goes on behind a call that could not be compiled. One that has begun is not made again."""
    try:
        yield
    except CompileError as error:
        if error.is_of_run:
            raise


class Attempts:
    """The part of jit.Specialiser that tries one form after the other, and remembers which one a call needs."""

    def try_apart(self, types, *args, **kwargs):
        """A call with tuples of integers that are ever others."""
        try:
            return self.call_bound(*args, **kwargs)
        except CompileError as error:  # they have to be known: as axes, or as what decides what types are
            if error.is_of_run:
                raise
            self.version.keep_tuples(types)
            return self.callable()(*args, **kwargs)

    def try_growing(self, types, error, *args, **kwargs):
        """A call that could not be compiled with lists that stay as long as they are."""
        with unless_refused():
            result = self.call_growing(*args, **kwargs)
            self.grown.add(types)
            return result
        return self.try_with_python(types, error, *args, **kwargs)

    def try_with_python(self, types, error, *args, **kwargs):
        """A call that could not be compiled without Python's own objects."""
        if not self.fallback and self.may_use_python:
            with unless_refused():
                result = self.call_with_python(*args, **kwargs)
                self.with_python.add(types)
                if sum(self.any_string(known) == self.any_string(types) for known in self.with_python) > MOST_STRINGS:
                    self.with_python.add(self.any_string(types))
                return result
        with self.lock:
            return self.refuse(types, error)(*args, **kwargs)

    def call_with_python(self, *args, **kwargs):
        return self.call_structured((*args, *kwargs.values()), lambda: self.function(*args, **kwargs), uses_python=True)

    def call_growing(self, *args, **kwargs):
        return self.call_structured((*args, *kwargs.values()), lambda: self.function(*args, **kwargs), grows=True)

    def call_bound(self, *args, **kwargs):
        """Calls with containers or objects among the arguments, which are all there, in the order of the parameters."""
        return self.call_structured((*args, *kwargs.values()), lambda: self.function(*args, **kwargs))

    def call_structured(self, arguments, call_in_python, grows=False, uses_python=False):
        if self.gave_up:
            return call_in_python()
        places = self.assigned_globals()
        assigned = (structures.AssignedGlobals(places),) if places and not uses_python else ()  # Python's parts look at them
        names = (*self.parameters, "globals") if assigned else self.parameters
        try:
            taken = structures.Taken(names, (*arguments, *assigned), grows, self.takes_records, self.held if uses_python else (),
                                     texts=self.any_strings)
            taken.assigned = assigned
        except (TypeError, OverflowError) as error:
            untaken = structures.untaken(self.parameters, arguments)
            if not self.fallback and self.may_use_python and not uses_python and untaken:
                self.held |= untaken
                try:
                    return self.call_structured(arguments, call_in_python, uses_python=True)
                except CompileError as other:
                    raise other if other.is_of_run else error from None
            if not self.fallback:
                raise
            self.refused[str(error)] = error
            return call_in_python()
        if self.run_by_python and taken.form in self.run_by_python:
            return call_in_python()
        if not uses_python and self.grown and taken.form in self.grown:
            return self.call_structured(arguments, call_in_python, grows=True)
        if not uses_python and self.with_python and taken.form in self.with_python:
            return self.call_structured(arguments, call_in_python, uses_python=True)
        if self.any_strings is False and self.strings_vary(taken.form):
            self.any_strings = True
            taken.release()
            with unless_refused():
                return self.call_structured(arguments, call_in_python, grows, uses_python)
            self.any_strings = None
            return self.call_structured(arguments, call_in_python, grows, uses_python)
        if grows or uses_python:
            return self.call_taken(taken, arguments, call_in_python, grows, uses_python)
        return self.lengths.call(taken.form, lambda: self.call_taken(taken, arguments, call_in_python, grows, uses_python), call_in_python,
                                 self.refused.setdefault)

    def strings_vary(self, form):
        """Whether code would be made once more for other strings in containers, of which it was made for several."""
        if any(form == known for known, *_ in self.structured):
            return False
        masked = tuple(map(structures.without_strings, form))
        return masked != form and sum(tuple(map(structures.without_strings, known)) == masked for known, *_ in self.structured) >= MOST_STRINGS

    def of_form(self, taken, uses_python=False):
        """The one for what is in arguments that were taken apart, to which the arrays of globals are added."""
        if self.version is None and self.callable is not None:
            self.renew()
        arrays = self.global_arrays()
        places = tuple((id(owner), name) for owner, name in self.assigned_globals()) if uses_python else ()  # else the form has them
        key = (taken.form, (len(arrays), places), uses_python)
        taken.add_globals(arrays)
        inner = self.structured.get(key)
        if inner is None:
            inner = self.structured[key] = self.make_inner(taken)
            inner.uses_python = uses_python
        inner.arrays = arrays
        if inner.version is None:
            inner.renew()
        return inner

    def call_taken(self, taken, arguments, call_in_python, grows, uses_python):
        with self.lock:
            inner = self.of_form(taken, uses_python)
            # Those of the function, and of the methods of objects that it is given.
            generators = tuple(dict.fromkeys((*self.python_generators(), *inner.version.python_generators())))
            if uses_python:  # which draws from them as they are
                generators = ()
        try:
            with python_random.lent(generators) if generators else contextlib.nullcontext(), taken.lent, taken:
                taken.lent.check(taken.leaves)
                answer = inner.entry(*taken.leaves)
        except NeedsObjects as needed:
            if needed.names <= self.held:
                raise CompileError("npcc: the arguments cannot be Python's own objects") from None
            self.held |= needed.names
            return self.call_structured(arguments, call_in_python, uses_python=True)
        except CompileError as error:
            if error.is_of_run:
                raise
            if self.found_changes():
                return self.call_structured(arguments, call_in_python, grows, uses_python)
            if grows or uses_python:
                raise
            try:
                result, known = self.call_otherwise(taken, arguments, call_in_python, error)
            except CompileError as other:
                if not self.fallback or other.is_of_run:
                    raise
                self.run_by_python.add(taken.form)
                self.refused[taken.form] = error
                has_code = any(inner.version and inner.compiled for inner in self.structured.values())
                self.gave_up = len(self.run_by_python) >= MOST_REFUSED and not has_code
                return call_in_python()
            known.add(taken.form)
            return result
        finally:
            taken.release()
        if answer is RUN_IN_PYTHON:
            return call_in_python()
        result, changes = answer
        result = taken.lent.returned(result)
        taken.put_back(changes)
        for values in taken.assigned:
            values.store(self.assigned_globals())
        if type(result) is structures.LeavingError:
            if not result.error:
                raise result.message
            _npcc.raise_error(*result)
        return result

    def call_otherwise(self, taken, arguments, call_in_python, error):
        """What a call gives that could not be compiled as it is, and the forms of which it is one."""
        if any(type(one) is list for one in (*taken.containers, *taken.leaves)) or self.hands_over_lists(arguments):
            with unless_refused():
                return self.call_structured(arguments, call_in_python, grows=True), self.grown
        if self.changes_containers and self.assigned_globals():
            # Without these containers the code holds what was in them: then no part of it may be Python's, which could change them.
            may_use_python, self.may_use_python = self.may_use_python, False
            self.changes_containers, self.version = False, None
            try:
                with unless_refused():
                    return self.call_structured(arguments, call_in_python), set()
            finally:
                self.may_use_python = may_use_python
            self.changes_containers, self.version = True, None
        if not self.fallback and self.may_use_python:
            if not self.changes_containers:
                self.changes_containers, self.version = True, None
            with unless_refused():
                return self.call_structured(arguments, call_in_python, uses_python=True), self.with_python
        raise error from None

    def hands_over_lists(self, arguments):
        """Whether calls hand over globals that the function assigns to, and these or the arguments lead to a list."""
        values = [assigned.value_of(place) for place in self.assigned_globals() if assigned.holds(place)]
        return bool(values) and any(isinstance(one, list) for one in assigned.containers_in([*values, *arguments]).values())

    def make_inner(self, taken):
        from .structured import StructuredSpecialiser
        return StructuredSpecialiser(self, taken)
