// Small parts of the shell: rows of the run list, ticks of the step bar, epochs, the next recorded step.
import { describe, expect, it } from "vitest";
import type { RunInfo } from "$api/types";
import { nextOf } from "$state/step.svelte";
import { epochAt } from "./epochs.svelte";
import { rowsOf, windowOf } from "./run_rows";
import { nearestStep, niceInterval, stepTicks } from "./step_ticks";

const runs = (...names: string[]) => names.map((name) => ({ name }) as RunInfo);

describe("rows of the run list", () => {
  const groups = [
    { key: "adam", runs: runs("adam-1", "adam-2") },
    { key: "sgd", runs: runs("sgd-1") },
  ];
  it("are runs alone, or groups with their runs, or closed groups", () => {
    expect(rowsOf([{ key: "", runs: runs("a", "b") }], false, new Set()).map((row) => row.key)).toEqual(["run a", "run b"]);
    expect(rowsOf(groups, true, new Set(["adam"])).map((row) => row.key)).toEqual(["group adam", "group sgd", "run sgd-1"]);
  });
  it("are drawn only where they are seen", () => {
    const [first, last] = windowOf(1000, 28, 14000, 560);
    expect([first, last]).toEqual([492, 528]);
    expect(windowOf(5, 28, 0, 560)).toEqual([0, 5]);
    expect(windowOf(5, 28, 9999, 560)).toEqual([5, 5]);
  });
});

describe("the step bar", () => {
  it("has round numbers, not too many", () => {
    expect(niceInterval(299, 12)).toBe(40);
    expect(niceInterval(3, 12)).toBe(1);
    const labels = stepTicks(0, 299, 1046).filter((tick) => tick.labelled).map((tick) => tick.step);
    expect(labels).toEqual([0, 40, 80, 120, 160, 200, 240, 280]);
    expect(stepTicks(0, 0, 1000)).toEqual([]);
    expect(stepTicks(0, 10_000_000, 1000).length).toBeLessThan(40);
  });
  it("snaps to what was recorded", () => {
    expect(nearestStep([0, 10, 20], 14)).toBe(10);
    expect(nearestStep([0, 10, 20], 16)).toBe(20);
    expect(nearestStep([0, 10, 20], 99)).toBe(20);
    expect(nearestStep([], 14.4)).toBe(14);
  });
  it("moves along recorded steps", () => {
    expect([nextOf([0, 10, 20], 10, 1), nextOf([0, 10, 20], 10, -1)]).toEqual([20, 0]);
    expect([nextOf([0, 10, 20], 13, 1), nextOf([0, 10, 20], 13, -1)]).toEqual([20, 10]);
    expect([nextOf([0, 10, 20], 20, 1), nextOf([0, 10, 20], 0, -1)]).toEqual([20, 0]);
    expect(nextOf([], 5, 1)).toBe(6);
  });
  it("knows the epoch of a step", () => {
    expect(epochAt([0, 63, 126], [0, 1, 2], 62)).toBe(0);
    expect(epochAt([0, 63, 126], [0, 1, 2], 126)).toBe(2);
    expect(epochAt([63], [1], 5)).toBeNull();
  });
});
