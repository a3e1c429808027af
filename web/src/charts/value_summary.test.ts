// Summaries of values.
import { expect, test } from "vitest";
import { binned, specialWords, summarize } from "./value_summary";

test("NaN and Inf are counted and kept out of the mean", () => {
  const summary = summarize([1, 2, 3, 0, NaN, Infinity, -Infinity, NaN]);
  expect(summary).toEqual({
    count: 8, min: 0, max: 3, mean: 1.5, std: Math.sqrt(1.25), zeros: 1, nan: 2, positiveInf: 1, negativeInf: 1,
  });
  expect(specialWords(summary)).toBe("2 NaN, 1 +Inf, 1 \u2212Inf");
});

test("nothing finite has no extremes", () => {
  const summary = summarize([NaN]);
  expect(summary.min).toBeNaN();
  expect(summary.std).toBeNaN();
  expect(binned([NaN], summary).counts).toEqual([]);
});

test("every finite value falls into a bin", () => {
  const values = Float64Array.from({ length: 1000 }, (_, i) => Math.sin(i));
  const { counts, left, right } = binned(values, summarize(values));
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(1000);
  expect(counts).toHaveLength(48);
  expect([left, right]).toEqual([Math.min(...values), Math.max(...values)]);
});

test("whole numbers of a small range get a bin each", () => {
  const values = [0, 1, 1, 3];
  expect(binned(values, summarize(values))).toEqual({ left: -0.5, right: 3.5, counts: [1, 2, 0, 1] });
});

test("a constant has one bin, and the widest range of doubles has bins", () => {
  expect(binned([2.5, 2.5], summarize([2.5, 2.5])).counts).toEqual([2]);
  const wide = [-1.7e308, 1.7e308, 0.5];
  expect(binned(wide, summarize(wide), 2).counts).toEqual([1, 2]);
});
