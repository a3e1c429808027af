// Colours of raw values.
import { expect, test } from "vitest";
import { packColor } from "./scales";
import { paintValues, valueScale } from "./value_colors";

const tokens = {
  seq: ["#000000", "#ff0000"], div: ["#0000ff", "#ffffff", "#ff0000"],
  heatZero: "#444444", heatNanA: "#111111", heatNanB: "#222222", heatInf: "#333333",
};

test("signed values get signed colours around 0, magnitudes begin at 0", () => {
  const signed = valueScale("auto", -1, 3, tokens);
  expect([signed.signed, signed.mapping.lo, signed.mapping.hi]).toEqual([true, -3, 3]);
  const magnitude = valueScale("auto", 2, 3, tokens);
  expect([magnitude.signed, magnitude.mapping.lo, magnitude.mapping.hi]).toEqual([false, 0, 3]);
});

test("a chosen map is kept, and a constant still has two ends", () => {
  const grey = valueScale("grey", -2, 3, tokens);
  expect([grey.mapping.lo, grey.mapping.hi]).toEqual([-2, 3]);
  expect(grey.css(3)).toBe("rgb(255, 255, 255)");
  expect(valueScale("seq", 0, 0, tokens).mapping.hi).toBe(1);
  expect(valueScale("auto", NaN, NaN, tokens).mapping.hi).toBe(1);
});

test("values, NaN and Inf get their own colours", () => {
  const values = [0, 1, NaN, -Infinity];
  const pixels = new Uint32Array(4);
  paintValues(pixels, 2, (i) => values[i] ?? 0, valueScale("seq", 0, 1, tokens), tokens);
  const [zero, one, nan, inf] = [...pixels];
  expect([zero, one, inf]).toEqual(["#000000", "#ff0000", "#333333"].map(packColor));
  expect(["#111111", "#222222"].map(packColor)).toContain(nan);
});

test("an enlarged NaN is hatched in both of its colours, its neighbour is not", () => {
  const values = [NaN, 1];
  const pixels = new Uint32Array(2 * 36);
  paintValues(pixels, 2, (i) => values[i] ?? 0, valueScale("seq", 0, 1, tokens), tokens, 6);
  const left = new Set([...pixels].filter((_, i) => i % 12 < 6));
  const right = new Set([...pixels].filter((_, i) => i % 12 >= 6));
  expect(left).toEqual(new Set(["#111111", "#222222"].map(packColor)));
  expect(right).toEqual(new Set([packColor("#ff0000")]));
});
