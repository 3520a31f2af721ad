"""Writes which module of npcc.library has which function, so that a first call imports only what it needs.

    PYTHONPATH=build/python python3 tools/package_index.py build/python/npcc/package_index.py
"""
import importlib
import os
import pkgutil
import pprint
import sys

from npcc import library, packaged


def collect():
    """Names of functions, and of methods -> names of the modules that register one."""
    functions, methods = {}, {}
    for module in pkgutil.iter_modules(library.__path__):
        importlib.import_module(f"{library.__name__}.{module.name}")
    for registered, index in ((library.FUNCTIONS, functions), (library.METHODS, methods)):
        for key, function in registered.items():
            name = function.__module__.removeprefix(library.__name__ + ".").partition(".")[0]
            modules = index.setdefault(key if isinstance(key, str) else library.name_of(key), set())
            modules.add(name)
    for key, registered in library.OTHERS.items():
        functions.setdefault(key, set()).update(function.__module__.removeprefix(library.__name__ + ".") for _, _, function in registered)
    return [{key: tuple(sorted(modules)) for key, modules in index.items()} for index in (functions, methods)]


def main(path):
    functions, methods = collect()
    values = dict(FUNCTIONS=functions, METHODS=methods, LIBRARY_FILES=packaged.library_files())
    with open(path + ".new", "w") as file:
        file.write('"""Made by tools/package_index.py: see npcc/packaged.py."""\n')
        file.writelines(f"{name} = {pprint.pformat(value, width=120)}\n" for name, value in values.items())
    os.replace(path + ".new", path)


if __name__ == "__main__":
    main(sys.argv[1])
