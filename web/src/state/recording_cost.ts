// What recording took, in seconds and as a share of the time that the runs lasted.
import type { RunInfo } from "$api/types";

export interface RecordingCost {
  // Of the threads that recorded, and of one processor beside them.
  caller: number;
  worker: number;
  // Of caller and worker together; undefined where nothing lasted.
  share: number | undefined;
}

// Of the runs that have told it; undefined where none has.
export function recordingCost(runs: readonly RunInfo[]): RecordingCost | undefined {
  let [caller, worker, lasted, told] = [0, 0, 0, false];
  for (const run of runs) {
    if (run.caller_seconds === null || run.worker_seconds === null) continue;
    told = true;
    caller += run.caller_seconds;
    worker += run.worker_seconds;
    if (run.first_wall_time !== null && run.last_wall_time !== null) lasted += run.last_wall_time - run.first_wall_time;
  }
  return told ? { caller, worker, share: lasted > 0 ? (caller + worker) / lasted : undefined } : undefined;
}
