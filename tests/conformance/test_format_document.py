"""The worked example of docs/format.md is a real record, and means what the page says."""

import re
from pathlib import Path

import numpy as np

import tensortap as tap

PAGE = Path(__file__).parents[2] / "docs" / "format.md"


def example_bytes() -> bytes:
    """The hex of the worked example; each line has its bytes first, then words."""
    section = PAGE.read_text().split("### A worked example")[1]
    block = re.search(r"```\n(.*?)```", section, re.DOTALL).group(1)
    lines = (re.match(r"\s*((?:[0-9a-f]{2} )*[0-9a-f]{2})(?:   |$)", line) for line in block.splitlines())
    return bytes.fromhex(" ".join(line.group(1) for line in lines))


def test_the_worked_example_is_a_whole_record_with_the_values_it_claims(capture_reader, tmp_path):
    path = tmp_path / "captures.1.host.1.0.tap"
    path.write_bytes(example_bytes())
    (payload,) = capture_reader.records(path)  # checks both CRCs
    capture = capture_reader.capture(payload)
    assert (capture.tag, capture.step, capture.phase, capture.sequence) == ("w", 3, "train", 2)
    stats = capture.body
    assert (stats.count, stats.zeros, stats.negatives, stats.min, stats.max) == (5, 1, 1, -1.5, 2.0)
    assert stats.log_buckets == {1027: 1, 3064: 1, 3072: 2}


def test_a_run_that_records_the_example_writes_the_same_bytes(capture_reader, tmp_path):
    with tap.Run(tmp_path / "run") as run:
        for step in range(1, 4):
            run.histogram("w", np.array([1, 2, 2, 0, -1.5], "float32"), step=step, phase="train")
    (path,) = (tmp_path / "run").glob("captures.*.tap")
    written = list(capture_reader.records(path))[3]
    example = example_bytes()[12:-4]
    assert written[:1] + written[9:] == example[:1] + example[9:]  # all but the wall time
