"""Records the runs that the page is tested on, with the real recorder: record_runs.py DIRECTORY

--hostile DIRECTORY   also a log directory whose runs, tags and texts try to run in the page
--truth FILE          also what tap.open reads of DIRECTORY, as JSON
--only NAME           of the trainings this one alone
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
sys.path.insert(0, str(Path(__file__).resolve().parent))

import hostile
import media
import trainings
import truth


def main() -> int:
    parser = argparse.ArgumentParser(description="Records runs for the tests of the page.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--hostile", type=Path)
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--only")
    options = parser.parse_args()
    if options.directory.exists() and any(options.directory.iterdir()):
        print(f"{options.directory} is not empty; name a new directory", file=sys.stderr)
        return 1
    for training in trainings.TRAININGS:
        if options.only in (None, training.name):
            trainings.train(options.directory, training)
    media.write_media(options.directory)
    media.write_with_tensorflow(options.directory)
    media.write_damaged(options.directory)
    if options.hostile:
        hostile.write_hostile(options.hostile)
    if options.truth:
        truth.write_truth(options.directory, options.truth)
    return 0


if __name__ == "__main__":
    sys.exit(main())
