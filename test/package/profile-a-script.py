# RUN: npcc profile --target cpu %s -o %t.json 2>&1 | FileCheck %s
# RUN: %python -c "import json; print(*(e['cat'] + ' ' + e['args'].get('place', '')[-24:] for e in json.load(open(r'%t.json'))['traceEvents'] if e['ph'] == 'X'), sep='\n')" | FileCheck %s --check-prefix=TRACE
"""`npcc profile` runs the script, and writes kernels with their lines, calls and compilations."""
import sys

import numpy as np


def length(x):
    return np.sqrt(x * x + 1)


# CHECK: arguments: 1
# CHECK-DAG: compile {{.*}}length
# CHECK-DAG: call {{.*}}length(float64[:]) {{.*}}profile-a-script.py:9
# CHECK-DAG: kernel {{.*}}profile-a-script.py:10
# CHECK: npcc: the trace is in {{.*}}.json
# TRACE-DAG: kernel {{.*}}profile-a-script.py:10
# TRACE-DAG: call {{.*}}profile-a-script.py:9
# TRACE-DAG: compile
print("arguments:", len(sys.argv), flush=True)
length(np.arange(1e5))
