// Smoothing: its numbers, and what it must leave alone.
import { expect, it } from "vitest";
import { smooth } from "./smoothing";

it("corrects the bias of the first points", () => {
  // With weight w the mean of n points is sum(w^(n-1-i) v_i) / sum(w^(n-1-i)).
  const out = smooth([1, 2, 3], 0.5);
  expect(out[0]).toBeCloseTo(1, 12);
  expect(out[1]).toBeCloseTo((0.5 * 1 + 2) / 1.5, 12);
  expect(out[2]).toBeCloseTo((0.25 * 1 + 0.5 * 2 + 3) / 1.75, 12);
});
it("changes nothing with weight 0", () => {
  expect([...smooth([3, -1, 7], 0)]).toEqual([3, -1, 7]);
});
it("does not smear NaN and Inf over their neighbours", () => {
  const out = smooth([1, NaN, 3, Infinity], 0.5);
  expect(out[1]).toBeNaN();
  expect(out[2]).toBeCloseTo((0.5 * 1 + 3) / 1.5, 12);
  expect(out[3]).toBe(Infinity);
});
it("keeps a constant curve exactly constant", () => {
  expect(new Set(smooth(new Array<number>(500).fill(0.1), 0.99))).toEqual(new Set([0.1]));
});
