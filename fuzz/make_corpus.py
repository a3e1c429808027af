"""Makes the first inputs of the fuzz targets: one record of every kind, as the recorder writes them."""

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


def main() -> int:
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
            keep("frame", target, path.read_bytes()[:600])
    return 0


if __name__ == "__main__":
    sys.exit(main())
