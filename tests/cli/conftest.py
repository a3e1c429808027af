"""What the tests of the program share: ways to call it, files to call it on, and frames to break."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


@pytest.fixture(scope="session")
def program() -> str:
    """The tensortap beside this Python; TENSORTAP_PROGRAM names another one."""
    return str(Path(os.environ.get("TENSORTAP_PROGRAM") or Path(sys.executable).with_name("tensortap")).absolute())


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory) -> Path:
    """No test reads what another start has remembered elsewhere."""
    cache = tmp_path_factory.mktemp("cache")
    os.environ["TENSORTAP_CACHE_DIR"] = str(cache)
    return cache


@pytest.fixture(scope="session")
def call(program):
    """(*arguments) -> CompletedProcess, in pipes"""

    def run(*arguments, **more) -> subprocess.CompletedProcess:
        more.setdefault("text", True)
        return subprocess.run(
            [program, *map(os.fsdecode, map(os.fspath, map(_path_or_text, arguments)))],
            capture_output=True,
            timeout=30,
            check=False,
            **more,
        )

    return run


def _path_or_text(argument):
    return argument if isinstance(argument, (str, bytes, os.PathLike)) else str(argument)


@dataclass
class Seen:
    """What somebody at a terminal saw."""

    text: str
    returncode: int


@pytest.fixture(scope="session")
def on_terminal(program):
    """(*arguments, columns=80, rows=24, pause=0, interrupt=None, **environment) -> Seen

    stdout and stderr are one terminal. A pause (s) soon after the start makes any load a long one; `interrupt` is the
    text at which Ctrl-C is pressed.
    """

    def run(
        *arguments, columns: int = 80, rows: int = 24, pause: float = 0, interrupt: bytes | None = None, **environment
    ) -> Seen:
        shown = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLORTERM", "TERM")}
        shown |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"} | environment
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        process = subprocess.Popen(
            [program, *map(str, arguments)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=shown,
            close_fds=True,
            # Whoever runs the tests in the background may have told their children to ignore Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(theirs)
        if pause:
            time.sleep(0.03)
            process.send_signal(signal.SIGSTOP)
            time.sleep(pause)
            process.send_signal(signal.SIGCONT)
        text = _read_all(ours, process, interrupt)
        os.close(ours)
        return Seen(text.decode(errors="replace").replace("\r\n", "\n"), process.wait(30))

    return run


def _read_all(descriptor: int, process: subprocess.Popen, interrupt: bytes | None) -> bytes:
    """Everything until the end. Sends SIGINT when `interrupt` is seen."""
    text, until = b"", time.monotonic() + 60
    while time.monotonic() < until:
        if not select.select([descriptor], [], [], 0.1)[0]:
            continue
        try:
            piece = os.read(descriptor, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        text += piece
        if interrupt is not None and interrupt in text:
            process.send_signal(signal.SIGINT)
            interrupt = None
    return text


@dataclass
class Frames:
    """Event files made by hand."""

    @staticmethod
    def frame(data: bytes) -> bytes:
        from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c

        def crc(of: bytes) -> bytes:
            return struct.pack("<I", masked_crc32c(of))

        length = struct.pack("<Q", len(data))
        return length + crc(length) + data + crc(data)

    @staticmethod
    def header(length: int) -> bytes:
        """A length with a CRC that fits it, and nothing behind it."""
        from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c

        packed = struct.pack("<Q", length)
        return packed + struct.pack("<I", masked_crc32c(packed))

    @classmethod
    def version(cls) -> bytes:
        from tensorboard.compat.proto.event_pb2 import Event

        return cls.frame(Event(wall_time=1.7e9, file_version="brain.Event:2").SerializeToString())

    @classmethod
    def scalar(cls, tag: str | bytes, step: int, value: float, wall_time: float = 1.7e9) -> bytes:
        """A value as TensorFlow 1 writes it; the tag may be bytes that are no UTF-8."""
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary

        name = tag.encode() if isinstance(tag, str) else tag
        tagged = b"\x0a" + _varint(len(name)) + name + Summary.Value(simple_value=value).SerializeToString()
        summary = b"\x0a" + _varint(len(tagged)) + tagged
        event = Event(wall_time=wall_time, step=step).SerializeToString()
        return cls.frame(event + b"\x2a" + _varint(len(summary)) + summary)

    @classmethod
    def text(cls, tag: str, text: bytes, step: int = 0) -> bytes:
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
        from tensorboard.compat.proto.tensor_pb2 import TensorProto

        metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="text"))
        tensor = TensorProto(dtype=7, string_val=[text])
        value = Summary.Value(tag=tag, metadata=metadata, tensor=tensor)
        return cls.frame(Event(wall_time=1.7e9, step=step, summary=Summary(value=[value])).SerializeToString())

    @classmethod
    def scalars(cls, count: int, tag: str = "loss") -> list[bytes]:
        return [cls.version(), *(cls.scalar(tag, step, step / 10) for step in range(count))]


def _varint(number: int) -> bytes:
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


@pytest.fixture(scope="session")
def frames() -> type[Frames]:
    return Frames


@pytest.fixture(scope="session")
def picture() -> np.ndarray:
    """Red above blue."""
    pixels = np.zeros((8, 6, 3), np.uint8)
    pixels[:4, :, 0] = 255
    pixels[4:, :, 2] = 255
    return pixels


@pytest.fixture(scope="session")
def recorded(tmp_path_factory, picture) -> Path:
    """A log directory with a run of every kind, recorded by ourselves. Nobody changes it."""
    import tensortap as tap

    logs = tmp_path_factory.mktemp("recorded")
    with tap.Run(logs / "a") as run:
        for step in range(200):
            run.scalar("loss", 1 / (step + 1), step=step)
            run.sub("val").scalar("loss", 2 / (step + 1), step=step)
        for step in range(30):
            run.histogram("w", np.linspace(-1, 1, 1000) * (step + 1), step=step)
        run.scalar("odd", float("nan"), step=0)
        run.scalar("odd", 1.5, step=1)
        run.scalar("odd", float("inf"), step=2)
        run.tensor("x", np.arange(24, dtype=np.float32).reshape(2, 3, 4), step=7)
        run.tensor("big", np.arange(1_000_000, dtype=np.int64).reshape(1000, 1000), step=0)
        run.image("picture", picture, step=3)
        run.audio("beep", np.sin(np.arange(8000) / 10).astype(np.float32), rate=16000, step=1)
        run.text("note", "# Title\n\nsome *words*", step=5)
        labels, outputs = np.array([2, 0, 1]), np.eye(3, dtype=np.float32)
        run.predictions("test", y_true=labels, y_pred=outputs, ids=["p", "q", "r"], step=4)
        run.hparams({"lr": 0.001, "layers": 3, "name": "wide", "dropout": True})
    with tap.Run(logs / "deeper" / "b") as run:
        run.scalar("loss", 1.0, step=0)
    return logs


@pytest.fixture
def logs(tmp_path) -> Path:
    """A small log directory of the test's own: a run, a sub-run, and a file of somebody else."""
    import tensortap as tap

    with tap.Run(tmp_path / "logs" / "a") as run:
        for step in range(20):
            run.scalar("loss", float(step), step=step)
        run.tensor("x", np.arange(100), step=0)
        run.sub("val").scalar("größe", 1.0, step=0)
    (tmp_path / "logs" / "notes.txt").write_text("mine")
    return tmp_path / "logs"


@pytest.fixture
def events(logs) -> Path:
    """The event file of its run."""
    (path,) = (logs / "a").glob("events*")
    return path


@pytest.fixture(scope="session")
def flip_bit():
    """(path, offset) -> None"""

    def flip(path: Path, at: int) -> None:
        data = bytearray(path.read_bytes())
        data[at] ^= 0x10
        path.write_bytes(data)

    return flip
