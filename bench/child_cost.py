"""Runs a command, and prints what it cost: child_cost.py OUTPUT COMMAND...

A child's peak memory begins at that of the process that starts it (Linux keeps the number over exec), so it must be
started by a small one: this one, about 10 MB. CPU is user and system time of all threads.
"""

import json
import os
import sys
import time


def main() -> int:
    output, *command = sys.argv[1:]
    into_output = (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    started = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=[into_output])
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - started
    cost = {"cpu_s": usage.ru_utime + usage.ru_stime, "wall_s": wall, "memory_mb": usage.ru_maxrss * 1024 / 1e6}
    print(json.dumps(cost))
    return 0 if status == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
