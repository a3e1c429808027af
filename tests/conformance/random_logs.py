"""Log directories out of a random number: every form of value that writers have, restarts, several files."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import ml_dtypes
import numpy as np
from PIL import Image
from tensorboard.compat.proto import event_pb2, histogram_pb2, summary_pb2, tensor_pb2, types_pb2
from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c
from tensorboard.plugins.histogram import metadata as histogram_metadata
from tensorboard.plugins.image import metadata as image_metadata
from tensorboard.plugins.scalar import metadata as scalar_metadata
from tensorboard.plugins.text import metadata as text_metadata
from tensorboard.util import tensor_util

# What TensorBoard's data server leaves out without a word, and we show.
DTYPES_THE_SERVER_DROPS = [np.float64, np.float16, ml_dtypes.bfloat16, np.int32, np.int64, np.uint8, np.bool_]


def frame(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc32c(length)) + data + struct.pack("<I", masked_crc32c(data))


def tensor_of(array: np.ndarray, random: np.random.Generator) -> tensor_pb2.TensorProto:
    """The array as tensor_content or as a list of values, as writers differ."""
    array = np.asarray(array)
    if array.dtype == np.float32 and random.random() < 0.5:
        proto = tensor_pb2.TensorProto(dtype=types_pb2.DT_FLOAT, float_val=array.ravel().tolist())
        for extent in array.shape:
            proto.tensor_shape.dim.add(size=extent)
        return proto
    if array.dtype == ml_dtypes.bfloat16:
        return tensor_pb2.TensorProto(dtype=types_pb2.DT_BFLOAT16, tensor_content=array.tobytes())
    return tensor_util.make_tensor_proto(array)


def png() -> bytes:
    encoded = io.BytesIO()
    Image.new("RGB", (3, 2)).save(encoded, "PNG")
    return encoded.getvalue()


class Series:
    """A tag that writes its values always in the same form."""

    def __init__(self, tag: str, form: str, random: np.random.Generator):
        self.tag, self.form, self.random = tag, form, random
        self.repeats_metadata = random.random() < 0.5
        self.dtype = DTYPES_THE_SERVER_DROPS[random.integers(len(DTYPES_THE_SERVER_DROPS))]

    def value(self, is_first: bool) -> summary_pb2.Summary.Value:
        value = summary_pb2.Summary.Value(tag=self.tag)
        getattr(self, self.form)(value)
        if value.HasField("metadata") and not (is_first or self.repeats_metadata):
            value.ClearField("metadata")
        return value

    def v1_scalar(self, value) -> None:
        value.simple_value = self.random.normal()

    def v2_scalar(self, value) -> None:
        value.tensor.CopyFrom(tensor_of(np.float32(self.random.normal()), self.random))
        value.metadata.CopyFrom(scalar_metadata.create_summary_metadata("", ""))

    def odd_scalar(self, value) -> None:
        number = np.asarray(self.random.integers(0, 2) if self.dtype is np.bool_ else self.random.integers(0, 100))
        value.tensor.CopyFrom(tensor_of(number.astype(self.dtype), self.random))
        value.metadata.CopyFrom(scalar_metadata.create_summary_metadata("", ""))

    def v1_histogram(self, value) -> None:
        counts = self.random.integers(1, 9, size=4)
        value.histo.CopyFrom(
            histogram_pb2.HistogramProto(
                min=-1, max=2, num=counts.sum(), sum=1, sum_squares=2, bucket_limit=[-0.5, 0, 1, 3], bucket=counts
            )
        )

    def v2_histogram(self, value) -> None:
        edges = np.sort(self.random.normal(size=6))
        rows = np.stack([edges[:-1], edges[1:], self.random.integers(0, 9, size=5)], axis=1)
        value.tensor.CopyFrom(tensor_of(rows, self.random))
        value.metadata.CopyFrom(histogram_metadata.create_summary_metadata("", ""))

    def v1_image(self, value) -> None:
        value.image.CopyFrom(summary_pb2.Summary.Image(height=2, width=3, colorspace=3, encoded_image_string=png()))

    def v2_image(self, value) -> None:
        value.tensor.CopyFrom(tensor_util.make_tensor_proto(np.array([b"3", b"2", png()], object)))
        value.metadata.CopyFrom(image_metadata.create_summary_metadata("", ""))

    def text(self, value) -> None:
        value.tensor.CopyFrom(
            tensor_util.make_tensor_proto(np.array(f"note {self.random.integers(99)}".encode(), object))
        )
        value.metadata.CopyFrom(text_metadata.create_summary_metadata("", ""))


FORMS = ["v1_scalar", "v2_scalar", "odd_scalar", "v1_histogram", "v2_histogram", "v1_image", "v2_image", "text"]


def steps_of(random: np.random.Generator) -> list[int]:
    """Steps that mostly ascend, sometimes fall back, sometimes repeat."""
    steps, step = [], int(random.integers(0, 5))
    for _ in range(random.integers(1, 40)):
        steps.append(step)
        chance = random.random()
        step += 0 if chance < 0.05 else -int(random.integers(1, 8)) if chance < 0.1 else int(random.integers(1, 4))
        step = max(step, 0)
    return steps


def write_file(path: Path, series: list[Series], start_secs: float, random: np.random.Generator) -> None:
    data = [frame(event_pb2.Event(wall_time=start_secs, file_version="brain.Event:2").SerializeToString())]
    seen: set[str] = set()
    for i, step in enumerate(steps_of(random)):
        event = event_pb2.Event(wall_time=start_secs + i, step=step)
        chosen = [each for each in series if random.random() < 0.6]
        for each in chosen:
            event.summary.value.append(each.value(is_first=each.tag not in seen))
            seen.add(each.tag)
            if random.random() < 0.5:
                data.append(frame(event.SerializeToString()))
                event.ClearField("summary")
        if event.HasField("summary"):
            data.append(frame(event.SerializeToString()))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(data))


def write_logs(root: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    names = [".", "a", "a/train", "b/c", "ü ä"]
    for name in random.choice(names, size=random.integers(1, len(names) + 1), replace=False):
        series = [Series(f"{form}/{i}", form, random) for i in range(2) for form in FORMS if random.random() < 0.7]
        for number in range(random.integers(1, 4)):
            secs = 1.7e9 + 1000 * number
            write_file(root / name / f"events.out.tfevents.{int(secs)}.host.{number}.0", series, secs, random)
