"""Adds points to the run `live` until it is killed: live_run.py DIRECTORY [milliseconds between points]"""

from __future__ import annotations

import math
import sys
import time

import numpy as np

import tensortap as tap


def main() -> int:
    directory, pause_ms = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 100
    random = np.random.default_rng(4)
    with tap.Run(f"{directory}/live", flush_ms=50) as run:
        print(run.path, flush=True)
        step = 0
        while True:
            run.scalar("train/loss", 2 * math.exp(-step / 200) + 0.1 * random.random(), step=step)
            run.scalar("train/accuracy", 1 - math.exp(-step / 150), step=step)
            if step % 10 == 0:
                run.histogram("activations/conv1a", np.maximum(random.normal(size=500), 0), step=step)
                run.histogram("weights/conv1a/kernel", random.normal(size=200), step=step)
            step += 1
            time.sleep(pause_ms / 1000)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(0)
