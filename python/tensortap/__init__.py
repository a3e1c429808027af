"""Tensortap records what a TensorFlow network puts out, and shows it.

    import tensortap as tap

    with tap.Run("runs/a") as run:
        run.scalar("loss", 0.5, step=0)

Importing this package never imports TensorFlow.
"""

import platform
import sys

if sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"):
    raise ImportError(
        f"Tensortap supports Linux on x86-64 and aarch64 only, not {sys.platform} on {platform.machine()}"
    )

from tensortap._record import __version__
from tensortap.run import Run, new_run

__all__ = ["Run", "__version__", "new_run"]
