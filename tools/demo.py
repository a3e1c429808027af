"""make demo: shows a training live. Starts the viewer, trains examples/keras_fit.py's model, serves until Ctrl-C.

Without a terminal (in a pipe, in a test) it trains, asks its own page and API what a browser would, and ends:
exit code 0, or 1 and what failed.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("TENSORTAP_PROGRAM", str(ROOT / ".venv" / "bin" / "tensortap"))
FIRST_PORT, PORTS = 6007, 20
EPOCHS_TO_WATCH, EPOCHS_TO_CHECK = 40, 4
START_SECONDS = 20


class DemoError(Exception):
    """What failed, in words for the one who typed make demo."""


@dataclass
class Viewer:
    """A running `tensortap serve`."""

    process: subprocess.Popen
    address: str  # with the token

    @classmethod
    def start(cls, log_directory: str) -> Viewer:
        command = [PROGRAM, "serve", log_directory, "--port", str(free_port())]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = []
        limit = threading.Timer(START_SECONDS, process.kill)
        limit.start()
        try:
            for line in process.stdout:
                said.append(line)
                if found := re.search(r"http://\S+", line):
                    # What it says later is of no use here, but must not fill the pipe.
                    threading.Thread(target=process.stdout.read, daemon=True).start()
                    return cls(process, found.group(0))
        finally:
            limit.cancel()
        process.wait()
        raise DemoError(f"the viewer did not start: {' '.join(command)}\n{''.join(said)}")

    def ask(self, path: str) -> tuple[str, bytes]:
        """Content type and body of what the viewer answers to one who has its token."""
        parts = urlsplit(self.address)
        token = re.search(r"token=([^&]+)", parts.query)
        request = urllib.request.Request(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/{path}")
        if token:
            request.add_header("Authorization", f"Bearer {token.group(1)}")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.headers.get_content_type(), answer.read()
        except urllib.error.HTTPError as error:
            raise DemoError(f"/{path}: HTTP {error.code}: {error.read(300).decode(errors='replace')}") from None
        except OSError as error:
            raise DemoError(f"/{path}: {error}") from None

    def ask_json(self, path: str) -> dict:
        return json.loads(self.ask(f"api/v1/{path}")[1])

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def free_port() -> int:
    """The first from 6007 on that nobody listens on."""
    for port in range(FIRST_PORT, FIRST_PORT + PORTS):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    return 0  # any


def train(log_directory: str, epochs: int) -> str:
    """The name of the run that was recorded."""
    sys.path.insert(0, str(ROOT / "examples"))
    import keras_fit

    path, report = keras_fit.train(log_directory, epochs)
    keras_fit.print_summary(log_directory, Path(path).name)
    if report["written"] != report["offered"]:
        raise DemoError(f"{report['offered'] - report['written']} captures were not recorded: {report}")
    return Path(path).name


def check(viewer: Viewer, log_directory: str, run: str) -> list[str]:
    """Asks what a browser would; the sentences that say what was right."""
    import tensortap as tap

    kind, page = viewer.ask("")
    scripts = re.findall(r'<script[^>]+src="\.?/?([^"]+)"', page.decode())
    if kind != "text/html" or not scripts:
        raise DemoError(f"the page is no HTML with a script: {kind}, {page[:200]!r}")
    code_bytes = 0
    for script in scripts:
        kind, code = viewer.ask(script)
        if "javascript" not in kind or not code:
            raise DemoError(f"the page's script {script} is {kind} of {len(code)} bytes")
        code_bytes += len(code)

    expected = tap.open(log_directory)[run].scalars("train/loss")
    deadline = time.monotonic() + 10
    while True:
        status = viewer.ask_json("status")
        names = [entry["name"] for entry in viewer.ask_json("runs")["runs"]]
        found = None
        if run in names:
            asked = f"scalars?run={quote(run, safe='')}&tag=train%2Floss&max_points=0&format=csv"
            found = viewer.ask(f"api/v1/{asked}")[1].decode().splitlines()[1:]
            if [float(line.rsplit(",", 1)[1]) for line in found] == expected.value.tolist():
                break
        if time.monotonic() > deadline:
            shown = "nothing" if found is None else f"{len(found)} points"
            raise DemoError(f"of run {run} the viewer shows {shown}; {len(expected)} points of train/loss are recorded")
        time.sleep(0.1)
    return [
        f"the page and its {len(scripts)} scripts answer ({len(page) + code_bytes} bytes)",
        f"the API knows {len(names)} run(s), revision {status['revision']}",
        f"train/loss of {run} has the {len(expected)} points that were recorded",
    ]


def show(log_directory: str, is_watched: bool) -> None:
    viewer = Viewer.start(log_directory)
    try:
        print(f"\n  the viewer:  {viewer.address}\n", flush=True)
        if is_watched:
            print("open it now: the curves grow while the model trains\n", flush=True)
        run = train(log_directory, EPOCHS_TO_WATCH if is_watched else EPOCHS_TO_CHECK)
        if not is_watched:
            print(*check(viewer, log_directory, run), sep="\n")
            return
        print(f"\ntrained, and recorded to {log_directory}/{run}. The viewer stays at\n\n  {viewer.address}\n")
        print(f"until Ctrl-C. Another day: .venv/bin/tensortap serve {log_directory}", flush=True)
        viewer.process.wait()
        raise DemoError(f"the viewer ended by itself with exit code {viewer.process.returncode}")
    finally:
        viewer.stop()


def main() -> int:
    log_directory = sys.argv[1] if len(sys.argv) > 1 else "runs"
    Path(log_directory).mkdir(parents=True, exist_ok=True)
    try:
        show(log_directory, is_watched=sys.stdin.isatty() and sys.stdout.isatty())
    except KeyboardInterrupt:
        print("\nended")
    except DemoError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
