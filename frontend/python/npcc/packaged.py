"""What the build has found out about this package: package_index.py, which tools/package_index.py makes."""
import functools
import os

LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "library")


def library_files():
    """The files of npcc.library by name, and their sizes."""
    with os.scandir(LIBRARY) as entries:
        return {entry.name: entry.stat().st_size for entry in entries if entry.name.endswith(".py")}


@functools.cache
def index():
    """The module package_index; None where there is none, or npcc.library was changed since, as far as names and sizes show."""
    try:
        from . import package_index
    except ImportError:
        return None
    return package_index if package_index.LIBRARY_FILES == library_files() else None
