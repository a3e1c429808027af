// What recording took: of those who told, together.
import { expect, test } from "vitest";
import type { RunInfo } from "$api/types";
import { recordingCost } from "./recording_cost";

const run = (change: Partial<RunInfo>): RunInfo => ({
  name: "a", state: "ended", directories: [], first_wall_time: 100, last_wall_time: 200, last_step: 1, size_bytes: 1, files: 1, records: 1, tags: 1,
  points: 1, damaged_places: 0, dropped: 0, caller_seconds: 0.5, worker_seconds: 1.5, kinds: [], ...change,
});

test("runs that have not told count neither as cost nor as time", () => {
  const silent = run({ caller_seconds: null, worker_seconds: null, last_wall_time: 10_000 });
  expect(recordingCost([run({}), silent, run({})])).toEqual({ caller: 1, worker: 3, share: 0.02 });
  expect(recordingCost([silent])).toBeUndefined();
});

test("a run that lasted no time has a cost and no share", () => {
  expect(recordingCost([run({ first_wall_time: null, last_wall_time: null })])?.share).toBeUndefined();
});
