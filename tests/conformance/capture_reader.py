"""Reads Tensortap's files with nothing but struct, varints and a table-driven CRC.

It shares no code with the writer: what it understands, any program can. NumPy only gives the tensors a shape.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import ml_dtypes
import numpy as np

# TensorFlow's DataType numbers.
DTYPES = {
    1: np.float32,
    2: np.float64,
    3: np.int32,
    4: np.uint8,
    5: np.int16,
    6: np.int8,
    8: np.complex64,
    9: np.int64,
    10: np.bool_,
    14: ml_dtypes.bfloat16,
    17: np.uint16,
    18: np.complex128,
    19: np.float16,
    22: np.uint32,
    23: np.uint64,
    24: ml_dtypes.float8_e5m2,
    25: ml_dtypes.float8_e4m3fn,
    26: ml_dtypes.float8_e4m3fnuz,
    27: ml_dtypes.float8_e4m3b11fnuz,
    28: ml_dtypes.float8_e5m2fnuz,
    29: ml_dtypes.int4,
    30: ml_dtypes.uint4,
}
PHASES = {0: "", 1: "train", 2: "val", 3: "predict"}


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


_CRC = _crc_table()


def masked_crc(data: bytes) -> int:
    """CRC-32C, turned and shifted as TFRecord files have it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _CRC[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(path: Path) -> Iterator[bytes]:
    """The payloads of a file of frames: length u64, its CRC u32, data, its CRC u32."""
    data = path.read_bytes()
    at = 0
    while at < len(data):
        length, length_crc = struct.unpack_from("<QI", data, at)
        assert length_crc == masked_crc(data[at : at + 8]), f"{path}: length at {at}"
        payload = data[at + 12 : at + 12 + length]
        (data_crc,) = struct.unpack_from("<I", data, at + 12 + length)
        assert data_crc == masked_crc(payload), f"{path}: data at {at}"
        yield payload
        at += 16 + length


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data: bytes) -> dict[int, list[int | bytes]]:
    """A message: number -> values; varints as int, the other wire types as their bytes."""
    found: dict[int, list[int | bytes]] = {}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        value: int | bytes
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 1:
            value, at = data[at : at + 8], at + 8
        elif wire == 2:
            length, at = varint(data, at)
            value, at = data[at : at + length], at + length
        elif wire == 5:
            value, at = data[at : at + 4], at + 4
        else:
            raise ValueError(f"wire type {wire} of field {number}")
        found.setdefault(number, []).append(value)
    return found


def one(message: dict, number: int, default=0):
    values = message.get(number, [default])
    assert len(values) == 1, f"field {number} stands {len(values)} times"
    return values[0]


def double(message: dict, number: int) -> float | None:
    return struct.unpack("<d", one(message, number))[0] if number in message else None


def signed(value: int) -> int:
    """int64 of a varint in two's complement."""
    return value - (1 << 64) if value >= 1 << 63 else value


def zigzag(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


def packed(data: bytes) -> list[int]:
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append(signed(value))
    return values


def buckets(data: bytes) -> dict[int, int]:
    """key -> count, of runs: gap, run - 1, then count - 1 for each key of the run."""
    found, at, key = {}, 0, 0
    while at < len(data):
        gap, at = varint(data, at)
        run, at = varint(data, at)
        key += gap
        for _ in range(run + 1):
            less_one, at = varint(data, at)
            found[key] = less_one + 1
            key += 1
    return found


def tensor(data: bytes) -> np.ndarray:
    message = fields(data)
    dtype = np.dtype(DTYPES[one(message, 1)])
    return np.frombuffer(one(message, 3, b""), dtype).reshape(packed(one(message, 2, b"")))


@dataclass
class Stats:
    """What a stats record says, with the numbers it implies."""

    dtype: np.dtype
    shape: list[int]
    zeros: int
    nan: int
    positive_inf: int
    negative_inf: int
    negatives: int
    subnormals: int
    min: float | None
    max: float | None
    sum: float
    sum_squares: float
    l1: float
    squared_deviations: float
    log_buckets: dict[int, int] | None
    linear_buckets: dict[int, int] | None
    linear_exponent: int
    linear_base: int

    @property
    def count(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def finite(self) -> int:
        return self.count - self.nan - self.positive_inf - self.negative_inf

    @property
    def mean(self) -> float:
        return self.sum / self.finite if self.finite else float("nan")

    @property
    def std(self) -> float:
        return (self.squared_deviations / self.finite) ** 0.5 if self.finite else float("nan")

    @property
    def l2(self) -> float:
        return self.sum_squares**0.5


def stats(data: bytes) -> Stats:
    message = fields(data)
    return Stats(
        dtype=np.dtype(DTYPES[one(message, 1)]),
        shape=packed(one(message, 2, b"")),
        zeros=one(message, 3),
        nan=one(message, 4),
        positive_inf=one(message, 5),
        negative_inf=one(message, 6),
        negatives=one(message, 7),
        subnormals=one(message, 8),
        min=double(message, 9),
        max=double(message, 10),
        sum=double(message, 11) or 0.0,
        sum_squares=double(message, 12) or 0.0,
        l1=double(message, 13) or 0.0,
        squared_deviations=double(message, 14) or 0.0,
        log_buckets=buckets(one(message, 15)) if 15 in message else None,
        linear_buckets=buckets(one(message, 16)) if 16 in message else None,
        linear_exponent=zigzag(one(message, 17)),
        linear_base=zigzag(one(message, 18)),
    )


@dataclass
class Predictions:
    y_true: np.ndarray | None
    y_pred: np.ndarray
    number_ids: np.ndarray | None
    text_ids: list[str]


def predictions(data: bytes) -> Predictions:
    message = fields(data)
    return Predictions(
        tensor(one(message, 1)) if 1 in message else None,
        tensor(one(message, 2)),
        tensor(one(message, 3)) if 3 in message else None,
        [text.decode() for text in message.get(4, [])],
    )


def header(data: bytes) -> dict:
    message = fields(data)
    return {
        "format_version": one(message, 1),
        "least_reader_version": one(message, 2),
        "writer": one(message, 3).decode(),
        "host": one(message, 4).decode(),
        "process_id": one(message, 5),
    }


def loss(data: bytes) -> dict:
    return {"dropped": one(fields(data), 1)}


def end(data: bytes) -> dict:
    message = fields(data)
    return {
        "success": bool(one(message, 1)),
        "offered": one(message, 2),
        "dropped": one(message, 3),
        "caller_seconds": double(message, 4),
        "worker_seconds": double(message, 5),
    }


BODIES = {
    10: ("header", header),
    11: ("stats", stats),
    12: ("tensor", tensor),
    13: ("predictions", predictions),
    14: ("loss", loss),
    15: ("end", end),
}


@dataclass
class Capture:
    wall_time: float
    step: int
    tag: str
    phase: str
    sequence: int
    kind: str
    body: object = field(repr=False)


def capture(payload: bytes) -> Capture:
    message = fields(payload)
    kinds = [number for number in message if number in BODIES]
    assert len(kinds) == 1, f"a record has one body, this one has fields {sorted(message)}"
    kind, decode = BODIES[kinds[0]]
    return Capture(
        double(message, 1),
        signed(one(message, 2)),
        one(message, 3, b"").decode(),
        PHASES[one(message, 4)],
        one(message, 5),
        kind,
        decode(one(message, kinds[0])),
    )


def capture_files(directory: Path) -> list[Path]:
    return sorted(Path(directory).glob("captures.*.tap"))


def event_files(directory: Path) -> list[Path]:
    return sorted(Path(directory).glob("events.out.tfevents.*"))


def captures(directory: Path) -> list[Capture]:
    """Every record of the capture files that stand in `directory` itself."""
    return [capture(payload) for path in capture_files(directory) for payload in records(path)]


def of_tag(directory: Path, tag: str, kind: str) -> list[Capture]:
    return [found for found in captures(directory) if found.tag == tag and found.kind == kind]


@dataclass
class Scalar:
    wall_time: float
    step: int
    value: float  # as recorded: the double where float32 is not exact
    narrow: np.float32  # what other readers see


def scalars(directory: Path) -> dict[str, list[Scalar]]:
    """The scalars of the event files that stand in `directory` itself."""
    found: dict[str, list[Scalar]] = {}
    for path in event_files(directory):
        for payload in records(path):
            event = fields(payload)
            for value in fields(one(event, 5, b"")).get(1, []):
                message = fields(value)
                inner = fields(one(message, 8, b""))
                if 5 not in inner:
                    continue
                narrow = np.frombuffer(one(inner, 5), "<f4")[0]
                exact = double(message, 900)
                found.setdefault(one(message, 1).decode(), []).append(
                    Scalar(
                        double(event, 1),
                        signed(one(event, 2)),
                        float(narrow) if exact is None else exact,
                        narrow,
                    )
                )
    return found
