// The table of runs: its numbers, its columns, its order.
import { describe, expect, it } from "vitest";
import type { LatestRow, RunInfo } from "$api/types";
import { columnsOf, rowsOf, sorted, type TableTags } from "./run_table";

const run = (name: string, change: Partial<RunInfo> = {}): RunInfo => ({
  name, state: "ended", directories: [], first_wall_time: 100, last_wall_time: 164.7, last_step: 300, size_bytes: 1_200_000, files: 1, records: 1, tags: 1,
  points: 1, damaged_places: 0, dropped: 0, caller_seconds: null, worker_seconds: null, kinds: ["scalars"], ...change,
});
const latest = (name: string, tag: string, change: Partial<LatestRow> = {}): LatestRow => ({
  run: name, tag, count: 5, last_step: 300, last_value: 0.5, last_wall_time: 0, min: 0.1, min_step: 0, max: 0.914, max_step: 0, non_finite: 0, ...change,
});
const tags: TableTags = {
  goal: { tag: "val/accuracy", title: "Best val accuracy", largest: true }, loss: { tag: "train/loss", title: "Last train loss" }, stepSeconds: null,
};
const hparams: Record<string, Record<string, string | number>> = { a: { optimizer: "adam", lr: 0.001, clip: 1 }, b: { optimizer: "sgd", lr: 0.03, clip: 1 } };
const rows = rowsOf(
  [run("a"), run("b", { dropped: 3, caller_seconds: 0.2, worker_seconds: 1.2 }), run("c", { first_wall_time: null })],
  [latest("a", "val/accuracy"), latest("b", "val/accuracy", { max: 0.6 }), latest("a", "train/loss"), latest("b", "train/loss", { last_value: NaN })],
  tags,
  (name) => hparams[name],
);
const cells = (id: string): string[] => {
  const column = columnsOf(rows, tags, ["optimizer", "lr", "clip"]).find((each) => each.id === id);
  return rows.map((row) => column?.write(row).replaceAll("\u202f", " ") ?? "no column");
};

describe("columnsOf", () => {
  it("shows what a run reached, and en dashes for what was not recorded", () => {
    expect(cells("best")).toEqual(["91.4 %", "60.0 %", "\u2013"]);
    expect(cells("loss")).toEqual(["0.5000", "NaN", "\u2013"]);
    expect(cells("duration")).toEqual(["64.7 s", "64.7 s", "\u2013"]);
    expect(cells("dropped")).toEqual(["0", "3", "0"]);
    expect(cells("recording")).toEqual(["\u2013", "1.4 s, 2.2 %", "\u2013"]);
  });
  it("has a column for each hyperparameter that differs", () => {
    expect(cells("hparam:optimizer")).toEqual(["adam", "sgd", "\u2013"]);
    expect(cells("hparam:lr")).toEqual(["0.001", "0.03", "\u2013"]);
    expect(cells("hparam:clip")).toEqual(["no column", "no column", "no column"]);
  });
  it("marks NaN, drops and damage as bad", () => {
    const columns = columnsOf(rows, tags, []);
    expect(columns.find((column) => column.id === "loss")?.isBad?.(rows[1] as never)).toBe(true);
    expect(columns.find((column) => column.id === "dropped")?.isBad?.(rows[1] as never)).toBe(true);
    expect(columns.some((column) => column.id === "damaged")).toBe(false);
  });
});

describe("sorted", () => {
  it("keeps NaN and nothing at the end, whatever the direction", () => {
    expect(sorted(rows, (row) => row.lastLoss, true).map((row) => row.run.name)).toEqual(["a", "b", "c"]);
    expect(sorted(rows, (row) => row.lastLoss, false).map((row) => row.run.name)).toEqual(["a", "b", "c"]);
    expect(sorted(rows, (row) => row.best, false).map((row) => row.run.name)).toEqual(["b", "a", "c"]);
  });
});
