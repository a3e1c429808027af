"""The data server of stock TensorBoard, asked through its own gRPC stubs."""

from __future__ import annotations

import subprocess
import threading
import time
from pathlib import Path

import grpc
import tensorboard_data_server
from tensorboard.data.proto import data_provider_pb2, data_provider_pb2_grpc
from tensorboard.util import tensor_util

EVERY_POINT = "scalars=all,histograms=all,images=all,audio=all,text=all,pr_curves=all,mesh=all,hparams=all"
MANY = data_provider_pb2.Downsample(num_points=1_000_000)


class DataServer:
    """What the tests ask of one server; every answer is {run: {tag: ...}}."""

    def __init__(self, log_directory: Path, port_file: Path, *flags: str):
        self.process = subprocess.Popen(
            [
                tensorboard_data_server.server_binary(),
                f"--logdir={log_directory}",
                "--reload=once",
                f"--samples-per-plugin={EVERY_POINT}",
                "--port=0",
                f"--port-file={port_file}",
                "--die-after-stdin",
                "--verbose",
                *flags,
            ],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._loaded = threading.Event()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        port = wait_for(
            lambda: port_file.exists() and port_file.read_text().endswith("\n") and port_file.read_text(),
            "port",
        )
        self.channel = grpc.insecure_channel(f"localhost:{int(port)}")
        self.stub = data_provider_pb2_grpc.TensorBoardDataProviderStub(self.channel)

    def _listen(self) -> None:
        for line in self.process.stderr:
            if b"Finished load cycle" in line:
                self._loaded.set()

    def wait_until_loaded(self, seconds: float = 20) -> None:
        """Until everything in the log directory is served."""
        if not self._loaded.wait(seconds):
            raise TimeoutError(f"the data server did not load within {seconds} s")

    def stop(self) -> None:
        self.channel.close()
        self.process.stdin.close()
        self.process.wait(10)
        self._listener.join(10)
        self.process.stderr.close()

    def runs(self) -> list[str]:
        return [run.name for run in self.stub.ListRuns(data_provider_pb2.ListRunsRequest()).runs]

    def _ask(self, kind: str, verb: str, plugin: str, **more) -> dict:
        request = getattr(data_provider_pb2, f"{verb}{kind}Request")(
            plugin_filter=data_provider_pb2.PluginFilter(plugin_name=plugin), **more
        )
        reply = getattr(self.stub, f"{verb}{kind}")(request)
        return {run.run_name: {tag.tag_name: tag for tag in run.tags} for run in reply.runs}

    def list_scalars(self) -> dict:
        return self._ask("Scalars", "List", "scalars")

    def read_scalars(self) -> dict:
        return self._ask("Scalars", "Read", "scalars", downsample=MANY)

    def list_tensors(self, plugin: str) -> dict:
        return self._ask("Tensors", "List", plugin)

    def read_tensors(self, plugin: str) -> dict:
        """-> [(step, array)]"""
        found = self._ask("Tensors", "Read", plugin, downsample=MANY)
        return {
            run: {
                name: [
                    (step, tensor_util.make_ndarray(value))
                    for step, value in zip(tag.data.step, tag.data.value, strict=True)
                ]
                for name, tag in tags.items()
            }
            for run, tags in found.items()
        }

    def list_blobs(self, plugin: str) -> dict:
        return self._ask("BlobSequences", "List", plugin)

    def read_blobs(self, plugin: str) -> dict:
        """-> [(step, [bytes])]"""
        found = self._ask("BlobSequences", "Read", plugin, downsample=MANY)
        return {
            run: {
                name: [
                    (step, [self._blob(reference) for reference in value.blob_refs])
                    for step, value in zip(tag.data.step, tag.data.values, strict=True)
                ]
                for name, tag in tags.items()
            }
            for run, tags in found.items()
        }

    def _blob(self, reference) -> bytes:
        request = data_provider_pb2.ReadBlobRequest(blob_key=reference.blob_key)
        return b"".join(part.data for part in self.stub.ReadBlob(request))


def wait_for(condition, what: str, seconds: float = 20):
    """The first true answer of `condition`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := condition():
            return answer
        time.sleep(0.05)
    raise TimeoutError(f"no {what} within {seconds} s")
