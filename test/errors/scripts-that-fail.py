# RUN: echo "import nosuch" > %t.import.py
# RUN: not npcc %t.import.py 2>&1 | FileCheck %s --check-prefix=IMPORT
# RUN: echo "def f(x: pass" > %t.syntax.py
# RUN: not npcc %t.syntax.py 2>&1 | FileCheck %s --check-prefix=SYNTAX
# RUN: echo "# npcc export f(flot64[:])" > %t.export.py
# RUN: not npcc %t.export.py 2>&1 | FileCheck %s --check-prefix=EXPORT
"""Scripts that are wrong before anything is compiled: the error is the script's own, without frames of npcc."""
# IMPORT: Traceback
# IMPORT-NEXT: import.py", line 1, in <module>
# IMPORT-NEXT: import nosuch
# IMPORT-NEXT: ModuleNotFoundError: No module named 'nosuch'
# IMPORT-NEXT: npcc: {{.*}}import.py cannot be imported
# SYNTAX: syntax.py", line 1
# SYNTAX-NEXT: def f(x: pass
# SYNTAX: SyntaxError
# EXPORT: export.py", line 1
# EXPORT-NEXT: # npcc export f(flot64[:])
# EXPORT: CompileError: 'flot64' is not a type that can be compiled
