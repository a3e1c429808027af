"""Makes the first inputs of the fuzz targets: records as the recorder writes them, and messages of other writers."""

import struct
import sys
import tempfile
from pathlib import Path

import numpy as np

import tensortap as tap

CORPUS = Path(__file__).parent / "corpus"


def record_every_kind(path: str) -> None:
    random = np.random.default_rng(0)
    with tap.Run(path, tensorboard="all") as run:
        run.scalar("loss", 0.1, step=1)
        run.histogram("w", np.r_[random.normal(size=50), np.nan, np.inf, 0].astype("f4"), step=2, phase="val")
        run.histogram("gamma", 1 + 1e-3 * random.normal(size=50), step=2)
        run.tensor("t", random.normal(size=(2, 3)).astype("f2"), step=-1)
        run.image("i", random.integers(0, 255, (4, 4, 3), dtype=np.uint8), step=3)
        run.audio("a", random.normal(size=20), 8000, step=3)
        run.text("note", "**x**", step=0)
        run.predictions("val", y_true=[0, 1], y_pred=[[0.2], [0.8]], ids=["a", "b"], step=4)
        run.hparams({"lr": 1e-3, "adam": True, "name": "x"}, metrics=["val/loss"])
        run.pr_curve("pr", [0, 1], [0.2, 0.8], step=1, num_thresholds=3)
        run.graph(b"\x0a\x03\x0a\x01x")


def records_of(path: Path) -> list[bytes]:
    data, offset, records = path.read_bytes(), 0, []
    while offset < len(data):
        (length,) = struct.unpack_from("<Q", data, offset)
        records.append(data[offset + 12 : offset + 12 + length])
        offset += length + 16
    return records


def keep(target: str, name: str, data: bytes) -> None:
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def field(number: int, data: bytes) -> bytes:
    """A length-delimited protobuf field of less than 128 bytes."""
    return bytes([number << 3 | 2, len(data)]) + data


def keep_tensors() -> None:
    shape = field(2, field(2, b"\x08\x02"))  # [2]
    typed = {1: (5, b"\0\0\x80?"), 2: (6, b"\0" * 8), 3: (7, b"\x01\x02"), 8: (9, b"\0" * 8), 9: (10, b"\x05")}
    typed |= {10: (11, b"\x01"), 18: (12, b"\0" * 16), 19: (13, b"\x80\x78")}
    for dtype, (number, values) in typed.items():
        keep("tensor_proto", f"dtype_{dtype:02}", bytes([8, dtype]) + shape + field(number, values))
    keep("tensor_proto", "uint32", b"\x08\x16" + shape + b"\x82\x01\x01\x07")
    keep("tensor_proto", "float8", b"\x08\x18" + shape + b"\x92\x01\x01\x42")
    keep("tensor_proto", "scalar", bytes.fromhex("080112002a040000003f"))
    keep("tensor_proto", "content", b"\x08\x01" + shape + field(4, b"\0" * 8))
    keep("tensor_proto", "strings", b"\x08\x07" + shape + field(8, b"a") + field(8, b"bc"))
    keep("tensor_proto", "string_content", b"\x08\x07" + shape + field(4, b"\x01\x02abc"))


def keep_summary_values() -> None:
    def strings(shape: list[int], *texts: bytes) -> bytes:
        dims = b"".join(field(2, bytes([8, extent])) for extent in shape)
        return b"\x08\x07" + field(2, dims) + b"".join(field(8, text) for text in texts)

    rows = struct.pack("<6d", 0, 1, 5, 1, 2, 3)
    keep("summary_values", "histogram", b"\x08\x02" + field(2, b"\x12\x02\x08\x02\x12\x02\x08\x03") + field(4, rows))
    limits, counts = struct.pack("<4d", 0, 1, 2, 1.7e308), struct.pack("<4d", 0, 1, 3, 0)
    ends = b"\x09" + struct.pack("<d", 0.5) + b"\x11" + struct.pack("<d", 1.5)
    keep("summary_values", "histogram_v1", ends + field(6, limits) + field(7, counts))
    keep("summary_values", "images", strings([4], b"2", b"3", b"\x89PNG", b"\x89PNG"))
    keep("summary_values", "image_v1", b"\x08\x03\x10\x02\x18\x01" + field(4, b"\x89PNG"))
    keep("summary_values", "audio", strings([1, 2], b"RIFF", b"label"))
    keep("summary_values", "audio_v1", b"\x0d\0\0\xfaE\x10\x01\x18\x02" + field(4, b"RIFF") + field(5, b"audio/wav"))


def keep_hparams() -> None:
    number, text, flag = b"\x11" + struct.pack("<d", 0.5), field(3, b"sgd"), b"\x20\x01"
    values = [number, text, flag, field(6, field(1, number) + field(1, text)), b"\x08\x00"]
    values.append(field(5, field(1, field(1, b"k") + field(2, flag))))
    entries = b"".join(field(1, field(1, bytes([97 + i])) + field(2, value)) for i, value in enumerate(values))
    keep("hparams", "start", field(3, entries + field(4, b"group") + b"\x29" + struct.pack("<d", 1)))
    keep("hparams", "end", field(4, b"\x08\x01\x11" + struct.pack("<d", 2)))
    metric = field(1, field(1, b"val") + field(2, b"loss")) + field(3, b"Loss")
    keep("hparams", "experiment", field(2, field(4, field(1, b"lr") + b"\x20\x03") + field(5, metric)))


def keep_globs() -> None:
    # One byte that says how long the pattern is, the pattern, the name.
    globs = [
        "**/loss a/b/loss",
        "a/**/b a/x/b",
        "*a*a*b aaaaaab",
        "[!a-c]?x dex",
        "l\\[0\\] l[0]",
        "[]-] ]",
        "**é* aéb",
    ]
    for i, glob in enumerate(globs):
        pattern, name = (part.encode() for part in glob.split())
        keep("glob", f"glob_{i}", bytes([len(pattern)]) + pattern + name)


def keep_http_targets() -> None:
    # Targets, and what else a client may say.
    texts = [
        "/",
        "/api/v1/scalars?run=a%2Fb&tag=loss&run=c+d&max_points=1000",
        "/gr%C3%B6%C3%9Fe/../x?%00=%zz#",
        "/assets/index-1a2b3c4d.js",
        "localhost:6007",
        "[::1]:80",
        "bytes=10-20",
        "gzip;q=0, *;q=0.5",
        'W/"a", "b"',
    ]
    for i, text in enumerate(texts):
        keep("http_target", f"target_{i}", text.encode())


def keep_log_file(name: str, kind: int, data: bytes) -> None:
    """Operations for log_file_fuzz: the file grows piece by piece, is cut, and grows again."""
    pieces = [data[i : i + 240] for i in range(0, min(len(data), 1200), 240)]
    operations = b"".join(bytes([2, 30]) + piece.ljust(240, b"\0") for piece in pieces)
    keep("log_file", name, bytes([kind]) + operations + bytes([0, 20]) + operations[:242])
    keep("log_file", f"{name}_whole", bytes([kind, 1, 255]) + data[:2000])


def keep_slices() -> None:
    """The shape in three bytes (from 128 on: no such axis), then the slices."""
    most, least = 2**63 - 1, -(2**63)
    texts = ["0,:,1:3", "-1,...,::2", f"{least}:{most}:{most}", "...,0", " : , 1 ", "1:2:3:4,,a"]
    shapes = [(2, 3, 4), (2, 3, 4), (200, 200, 5), (0, 1, 2), (2, 3, 4), (2, 3, 4)]
    for i, (shape, text) in enumerate(zip(shapes, texts, strict=True)):
        keep("slice", f"slice_{i}", bytes(shape) + text.encode())


def keep_index() -> None:
    """What the index cache keeps of a log, behind its own head (96 bytes) and the log's path."""
    with tempfile.TemporaryDirectory() as directory:
        with tap.Run(f"{directory}/logs/run") as run:
            for step in range(6000):
                run.scalar("loss", step / 3, step=step)
            run.histogram("w", np.arange(9.0), step=1)
            run.text("note", "x" * 4000, step=1)
        tap.open(f"{directory}/logs", cache=f"{directory}/cache")
        for entry in Path(directory, "cache", "index").iterdir():
            data = entry.read_bytes()
            (path_bytes,) = struct.unpack_from("<Q", data, 40)
            keep("index", "events", data[96 + path_bytes :])


def main() -> int:
    keep_index()
    keep_tensors()
    keep_summary_values()
    keep_hparams()
    keep_globs()
    keep_http_targets()
    keep_slices()
    with tempfile.TemporaryDirectory() as directory:
        record_every_kind(f"{directory}/run")
        for path in Path(directory, "run").iterdir():
            target = "capture" if path.suffix == ".tap" else "event"
            records = records_of(path)
            for i, record in enumerate(records):
                keep(target, f"record_{i:02}", record)
                start = record.find(b"\x89PNG")
                if start >= 0:
                    keep("png", "image", record[start:])
                start = record.find(b"RIFF")
                if start >= 0:
                    keep("wav", "clip", record[start : start + 84])
                if target == "event" and len(record) < 400:
                    keep("event_scan", f"record_{i:02}", record)
            keep("frame", target, path.read_bytes()[:600])
            keep_log_file(target, int(target == "capture"), path.read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
