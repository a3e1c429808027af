// Hyperparameters: rows, differences, order, filter.
import { describe, expect, it } from "vitest";
import type { HparamsAnswer, LatestRow } from "$api/types";
import { tagGroups } from "$charts/tag_cards";
import { byCoverage, differing, firstMetrics, keyOf, matches, metricsOf, rowsOf, sortRows, writeValue } from "./hparams_table";

const groups = tagGroups(["train/loss", "val/loss", "val/accuracy", "train/accuracy", "norm/conv"]);
const run = (name: string, values: HparamsAnswer["runs"][number]["values"]) => ({ run: name, group: "", start_time: null, end_time: null, success: null, values });
const answer: HparamsAnswer = { names: ["lr", "optimizer", "seed"], runs: [run("a", { lr: 0.001, optimizer: "adam", seed: 1 }), run("b", { lr: 0.1, optimizer: "sgd", seed: 1 }), run("c", { lr: 0.01, optimizer: "sgd", seed: 1 })] };
const latest = (name: string, tag: string, last: number, min: number, max: number): LatestRow => ({
  run: name, tag, count: 3, last_step: 9, last_value: last, last_wall_time: 0, min, min_step: 0, max, max_step: 0, non_finite: 0,
});
const points = [latest("a", "val/accuracy", 0.8, 0.1, 0.9), latest("b", "val/accuracy", NaN, 0.1, 0.5), latest("a", "val/loss", 0.4, 0.3, 2)];
const rows = rowsOf(answer, points, metricsOf(groups), "last", () => true);

describe("rowsOf", () => {
  it("joins hyperparameters with the last or the best value of each metric", () => {
    expect(rows.find((row) => row.run === "a")?.metrics).toEqual(new Map([["val/accuracy", 0.8], ["val/loss", 0.4]]));
    const best = rowsOf(answer, points, metricsOf(groups), "best", () => true);
    expect(best.find((row) => row.run === "a")?.metrics).toEqual(new Map([["val/accuracy", 0.9], ["val/loss", 0.3]]));
  });
  it("leaves out runs that the filter hides", () => {
    expect(rowsOf(answer, points, metricsOf(groups), "last", (name) => name === "b").map((row) => row.run)).toEqual(["b"]);
  });
});

it("begins with the metrics of the main cards, val before train", () => {
  expect(firstMetrics(groups)).toEqual(["val/loss", "val/accuracy", "train/loss", "train/accuracy"]);
});
it("finds the hyperparameters that differ", () => {
  expect(differing(rows, answer.names)).toEqual(["lr", "optimizer"]);
  expect(differing(rows.slice(0, 1), answer.names)).toEqual(answer.names);
});
it("sorts by anything, with NaN and nothing at the end", () => {
  expect(sortRows(rows, "metric:val/accuracy", true).map((row) => row.run)).toEqual(["a", "b", "c"]);
  expect(sortRows(rows, "hparam:lr", true).map((row) => row.run)).toEqual(["b", "c", "a"]);
  expect(sortRows(rows, "run", false).map((row) => row.run)).toEqual(["a", "b", "c"]);
});
it("filters by run and by name=value", () => {
  expect(rows.filter((row) => matches(row, /optimizer=sgd/)).map((row) => row.run)).toEqual(["b", "c"]);
  expect(rows.filter((row) => matches(row, /^a$/)).map((row) => row.run)).toEqual(["a"]);
});
it("writes values as they were typed", () => {
  expect([0.001, 64, true, "adam", null, 1e-7].map(writeValue)).toEqual(["0.001", "64", "true", "adam", "\u2013", "1.00e\u22127"]);
});
it("takes no name for something of JavaScript's own", () => {
  expect(differing(rows, ["toString", "constructor"])).toEqual([]);
  expect(keyOf(rows[0] as never, "hparam:toString")).toBeUndefined();
});
it("puts names first that most runs recorded", () => {
  const odd = rowsOf({ names: [], runs: [run("a", { rare: 1, lr: 1 }), run("b", { lr: 2 })] }, [], [], "last", () => true);
  expect(byCoverage(odd, ["rare", "lr"])).toEqual(["lr", "rare"]);
});
