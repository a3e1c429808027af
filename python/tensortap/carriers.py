"""Carriers: whatever holds numbers in Python, as memory that the recorder reads.

`tensor(x)` gives (array, dtype name, shared). `shared` says that nobody can write to the memory while it is held, so
that a reference will do; everything else is copied once, in C++.

TensorFlow, Keras and PyTorch are looked at only if the program has imported them.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

# Element types that NumPy's buffer protocol does not carry, by the unsigned type of the same size.
_BY_SIZE = {1: np.uint8, 2: np.uint16}
_EXTENDED = {
    "bfloat16",
    "float8_e5m2",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e4m3b11fnuz",
    "float8_e5m2fnuz",
    "int4",
    "uint4",
}

Carrier = tuple[Any, str, bool]


def tensor(value: Any) -> Carrier:
    """The memory of anything array-like. TypeError says what to do with what is not."""
    value = _unwrap(value)
    tf = sys.modules.get("tensorflow")
    if tf is not None and isinstance(value, getattr(tf, "Tensor", ())):
        return _from_tensorflow(tf, value)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, getattr(torch, "Tensor", ())):
        return _from_torch(torch, value)
    return _from_numpy(_as_array(value))


def is_symbolic(value: Any) -> bool:
    """Whether this, or the variable's value where we are, is a tensor of a function under construction."""
    tf = sys.modules.get("tensorflow")
    if tf is None or not hasattr(tf, "executing_eagerly"):
        return False
    if type(value).__name__ == "SymbolicTensor" or (isinstance(value, tf.Tensor) and not hasattr(value, "numpy")):
        return True
    if tf.executing_eagerly() or isinstance(value, (float, int, str, np.ndarray)):
        return False
    value = _unwrap(value)
    return isinstance(value, tf.Tensor) and not hasattr(value, "numpy")


def number(value: Any) -> float:
    """One number out of anything that holds one: NumPy and TensorFlow scalars, variables, arrays of one element."""
    value = _unwrap(value)
    _refuse_symbolic(value)
    if isinstance(value, (float, int)):
        return float(value)
    array = _as_array(value)
    kind = array.dtype.kind
    is_number = kind in "fiub" or array.dtype.name in _EXTENDED or (kind == "O" and hasattr(value, "__float__"))
    if array.size != 1 or not is_number:
        raise TypeError(f"a scalar must be one real number, not {_describe(value)}")
    return float(array.reshape(())[()])


def step(value: Any) -> int:
    """A step out of what is no Python int: an optimizer's iterations, a tf.Variable, a 0-d array."""
    value = _unwrap(value)
    _refuse_symbolic(value)
    array = _as_array(value)
    if array.size != 1 or (array.dtype.kind not in "iu" and array.dtype.name not in ("int4", "uint4")):
        raise TypeError(f"step must be an integer, not {_describe(value)}")
    return int(array.reshape(())[()])


def texts(value: Any) -> tuple[list[str], list[int]]:
    """One text or a table of texts, with its shape."""
    value = _unwrap(value)
    if isinstance(value, (str, bytes)):
        return [_decode(value)], []
    _refuse_symbolic(value)
    if hasattr(value, "numpy"):
        value = value.numpy()
        if isinstance(value, (str, bytes)):
            return [_decode(value)], []
    array = np.asarray(value)
    if array.dtype.kind not in "USO":
        raise TypeError(f"text must be a str or an array of str, not {_describe(value)}")
    return [_decode(item) for item in array.ravel()], list(array.shape)


def ids(value: Any) -> tuple[list[int], list[str]]:
    """The ids of samples, as numbers or as texts; the other list is empty."""
    if value is None:
        return [], []
    value = _unwrap(value)
    _refuse_symbolic(value)
    array = np.asarray(value.numpy() if hasattr(value, "numpy") else value)
    if array.ndim != 1:
        raise ValueError(f"ids are a list, one for each sample; got shape {list(array.shape)}")
    if array.dtype.kind in "iu":
        return [int(item) for item in array], []
    return [], [_decode(item) if isinstance(item, (str, bytes)) else str(item) for item in array]


def _unwrap(value: Any) -> Any:
    """The tensor inside variables and inside ragged, sparse and sliced values."""
    keras = sys.modules.get("keras")
    if keras is not None and isinstance(value, getattr(keras, "Variable", ())):
        value = value.value
    tf = sys.modules.get("tensorflow")
    if tf is None or not hasattr(tf, "RaggedTensor"):
        return value
    if isinstance(value, tf.Variable):
        return value.read_value()
    if isinstance(value, tf.RaggedTensor):
        return value.flat_values
    if isinstance(value, (tf.SparseTensor, tf.IndexedSlices)):
        return value.values
    return value


def _from_tensorflow(tf: Any, value: Any) -> Carrier:
    _refuse_symbolic(value)
    name = value.dtype.name
    # Asked before any buffer is: DLPack of a string tensor would end the process.
    if name == "string":
        raise TypeError("a tensor of strings has no statistics; record it with run.text")
    if name in ("resource", "variant"):
        raise TypeError(f"a tensor of dtype {name} holds no numbers to record")
    if name in _EXTENDED:
        array = value.numpy()  # NumPy has no buffer of these; this copy is ours alone
        return array.view(_BY_SIZE[array.itemsize]), name, True
    if name == "half":
        name = "float16"
    # Eager tensors are never written to; the memoryview holds on to this one.
    return np.asarray(memoryview(value)), name, True


def _from_torch(torch: Any, value: Any) -> Carrier:
    value = value.detach().cpu()
    name = str(value.dtype).removeprefix("torch.")
    if name in _EXTENDED:
        array = value.contiguous().view(torch.uint8 if value.element_size() == 1 else torch.int16).numpy()
        return array, name, False
    array = value.numpy()
    return array, array.dtype.name, False  # PyTorch writes in place wherever it likes


def _from_numpy(array: np.ndarray) -> Carrier:
    shared = _is_frozen(array)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
        shared = True  # a copy of our own
    name = array.dtype.name
    if name in _EXTENDED:
        return array.view(_BY_SIZE[array.itemsize]), name, shared
    if array.dtype.kind in "SUO":
        raise TypeError(f"{_describe(array)} has no numbers to record; texts go to run.text")
    if array.dtype.kind not in "fiubc" or name in ("float128", "complex256", "longdouble", "clongdouble"):
        raise TypeError(f"arrays of {name} cannot be recorded; convert them to float64 first")
    return array, name, shared


def _as_array(value: Any) -> np.ndarray:
    if isinstance(value, np.ndarray):
        return value
    _refuse_symbolic(value)
    if isinstance(value, bytes):
        return np.frombuffer(value, np.uint8)  # np.asarray would make text of it
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, getattr(torch, "Tensor", ())):
        return value.detach().cpu().numpy()
    if type(value).__name__ == "EagerTensor":
        return value.numpy()  # DLPack of a string or resource tensor would end the process
    if isinstance(value, np.generic) or not hasattr(value, "__dlpack__"):
        return np.asarray(value)
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError):
        return np.asarray(value)  # on a device, or of a type DLPack does not know


def _is_frozen(array: Any) -> bool:
    """True when neither this array nor what it stands on can be written to.

    A writable view taken before the array was made read-only cannot be seen from here.
    """
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return False
        if array.base is None:
            return True
        array = array.base
    return isinstance(array, bytes)


def _refuse_symbolic(value: Any) -> None:
    """Keras inputs and tensors of a tf.function under construction have no values yet."""
    kind = type(value).__name__
    if kind in ("SymbolicTensor", "KerasTensor") or (kind == "Tensor" and hasattr(value, "graph")):
        raise TypeError(
            f"{kind} has no value yet: it belongs to a function that is being traced. "
            "Use tap.tap(x, name) in there, or return it from the function and record what comes out."
        )


def _decode(text: Any) -> str:
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"text must be a str, not {_describe(text)}")
    try:
        return text.decode("utf-8") if isinstance(text, bytes) else text.encode("utf-8").decode("utf-8")
    except UnicodeError as error:
        raise ValueError(f"text must be valid UTF-8: {error}") from error


def _describe(value: Any) -> str:
    shape = getattr(value, "shape", None)
    dtype = getattr(value, "dtype", None)
    if shape is None or dtype is None:
        return f"{type(value).__name__} {value!r:.80}"
    return f"{type(value).__name__} of shape {list(shape)} and dtype {dtype}"
