"""P8: the data of one card, one tag over all runs of R, over HTTP: `tensortap serve` and stock TensorBoard."""

import json
import sys
import time
from urllib.parse import quote

from log_sets import LogSet, log_sets
from measure import emit, interleave
from viewers import Viewer, ours, tensorboard, unpacked, wait_until_ours_loaded, wait_until_tensorboard_loaded

TAG = "group1/metric_11"
ROUNDS = 7


def our_card(viewer: Viewer, logs: LogSet):
    """As the page asks: a connection that is open, all runs, as many points as a card has columns."""
    runs = [entry["name"] for entry in json.loads(viewer.ask("/api/v1/runs")[0])["runs"]]
    path = f"/api/v1/scalars?tag={quote(TAG, safe='')}&" + "&".join(f"run={quote(run, safe='')}" for run in runs)
    connection = viewer.connect()

    def card() -> dict[str, float]:
        started = time.perf_counter()
        raw = viewer.fetch(path, connection=connection)
        seconds = time.perf_counter() - started
        check(points_of_columns(unpacked(raw)), logs, viewer)
        return {"ms": seconds * 1e3, "mb": len(raw) / 1e6}

    return card


def points_of_columns(body: bytes) -> int:
    length = int.from_bytes(body[8:12], "little")
    header = json.loads(body[16 : 16 + length])
    return sum(header["columns"][series["value"]]["length"] for series in header["meta"]["series"])


def their_card(viewer: Viewer, logs: LogSet):
    """As the Time Series page asks."""
    body = "requests=" + quote(json.dumps([{"plugin": "scalars", "tag": TAG}]))
    connection = viewer.connect()

    def card() -> dict[str, float]:
        started = time.perf_counter()
        raw = viewer.fetch("/data/plugin/timeseries/timeSeries", body, connection)
        seconds = time.perf_counter() - started
        check(sum(len(points) for points in json.loads(unpacked(raw))[0]["runToSeries"].values()), logs, viewer)
        return {"ms": seconds * 1e3, "mb": len(raw) / 1e6}

    return card


def check(points: int, logs: LogSet, viewer: Viewer) -> None:
    """A card that lacks points is not fast."""
    expected = logs.scalars // (logs.series // logs.runs)
    if points != expected:
        sys.exit(f"bench: {viewer.name} gave {points} of the {expected} points of {TAG}")


def main() -> None:
    with log_sets("R") as sets:
        logs = sets["R"]
        with ours(logs.folder) as mine, tensorboard(logs.folder) as theirs:
            wait_until_ours_loaded(mine)
            wait_until_tensorboard_loaded(theirs, logs.series)
            cards = {"ours": our_card(mine, logs), "tensorboard": their_card(theirs, logs)}
            result = interleave(cards, rounds=ROUNDS)
    for name, seen in result.items():
        emit("P8", name, seen["median"], min=round(seen["min"], 4), unit=name.rpartition("_")[2])
    emit("P8", "tensorboard_time_over_ours", result["tensorboard_ms"]["median"] / result["ours_ms"]["median"])
    emit("P8", "response_mb", result["ours_mb"]["median"], unit="MB over the wire, gzip")


if __name__ == "__main__":
    main()
