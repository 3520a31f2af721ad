"""Loop-form text for the tests of this folder."""

# NumPy's name -> (type in memory, type in memory of the accumulator's neutral element for a sum)
TYPES = {"int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "i8", "uint16": "i16", "uint32": "i32", "uint64": "i64",
         "float16": "f16", "float32": "f32", "float64": "f64", "complex64": "complex<f32>", "complex128": "complex<f64>"}


def memref(shape, dtype, strided=False):
    dims = "".join(f"{n}x" for n in shape)
    layout = ", strided<[" + ", ".join("?" * len(shape)) + "], offset: ?>" if strided else ""
    return f"memref<{dims}{TYPES[dtype]}{layout}>"


def attributes(dtype):
    return "test.unsigned" if dtype.startswith("u") else "test.signed"


def zero(name, dtype, value=0):
    ty = TYPES[dtype]
    if ty.startswith("complex"):
        part = ty[8:-1]
        return f"{name} = complex.constant [{float(value)} : {part}, 0.0 : {part}] : {ty}"
    return f"{name} = arith.constant {float(value) if ty.startswith('f') else value} : {ty}"


def elementwise(name, dtype, rank, body, inputs=1, out=None, strided=False, scalars=""):
    """result[i...] = body, which computes %r from %x0, %x1, ..."""
    out = out or dtype
    shape = ["?"] * rank
    axes = range(rank)
    ivs, zeros = ", ".join(f"%i{k}" for k in axes), ", ".join("%c0" for _ in axes)
    arguments = ", ".join(f"%a{k}: {memref(shape, dtype, strided)} {{{attributes(dtype)}}}" for k in range(inputs))
    lines = [f"func.func @{name}({arguments}{scalars}) -> ({memref(shape, out)} {{{attributes(out)}}}) {{",
             "  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index"]
    lines += [f"  %k{k} = arith.constant {k} : index\n  %n{k} = memref.dim %a0, %k{k} : {memref(shape, dtype, strided)}" for k in axes]
    extents = ", ".join(f"%n{k}" for k in axes)
    lines.append(f"  %out = np.alloc({extents}) : {memref(shape, out)}")
    lines.append("  np.kernel (%s) = (%s) {" % ((ivs, extents) if rank else ("%unit", "%c1")))
    lines += [f"    %x{k} = memref.load %a{k}[{ivs}] : {memref(shape, dtype, strided)}" for k in range(inputs)]
    lines += [body, f"    memref.store %r, %out[{ivs}] : {memref(shape, out)}", "  }", f"  return %out : {memref(shape, out)}", "}"]
    return "\n".join(lines)


def reduction(name, dtype, rank, axes, op, neutral, strided=False):
    """result[outer] = op over the axes of an array of this rank."""
    ty, array = TYPES[dtype], memref(["?"] * rank, dtype, strided)
    outer = [k for k in range(rank) if k not in axes]
    result = memref(["?"] * len(outer), dtype)
    extents = lambda which: ", ".join(f"%n{k}" for k in which)
    ivs = lambda which: ", ".join(f"%i{k}" for k in which)
    same = lambda value, which: ", ".join(value for _ in which)
    lines = [f"func.func @{name}(%a: {array} {{{attributes(dtype)}}}) -> ({result} {{{attributes(dtype)}}}) {{",
             "  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index", "  " + zero("%neutral", dtype, neutral)]
    lines += [f"  %k{k} = arith.constant {k} : index\n  %n{k} = memref.dim %a, %k{k} : {array}" for k in range(rank)]
    lines.append(f"  %out = np.alloc({extents(outer)}) : {result}")
    lines.append("  np.kernel (%s) = (%s) {" % ((ivs(outer), extents(outer)) if outer else ("%unit", "%c1")))
    lines.append("    %%s = scf.parallel (%s) = (%s) to (%s) step (%s) init (%%neutral) -> %s {"
                 % (ivs(axes), same("%c0", axes), extents(axes), same("%c1", axes), ty))
    lines += [f"      %x = memref.load %a[{ivs(range(rank))}] : {array}", f"      scf.reduce(%x : {ty}) {{ ^bb0(%l: {ty}, %r: {ty}):",
              f"        %t = {op} %l, %r : {ty}", f"        scf.reduce.return %t : {ty} }}", "    }",
              f"    memref.store %s, %out[{ivs(outer)}] : {result}", "  }", f"  return %out : {result}", "}"]
    return "\n".join(lines)
