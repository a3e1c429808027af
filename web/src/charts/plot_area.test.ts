// Pixels and values: one is the inverse of the other.
import { expect, it } from "vitest";
import { MARGIN, PlotArea } from "./plot_area";

const linear = { log: false, min: 0, max: 4, interval: 1 };

it("puts the ends of the axes on the edges of the plot", () => {
  const area = new PlotArea(360, 224, { first: 100, last: 300 }, linear);
  expect(area.pixelOfX(100)).toBe(MARGIN.left);
  expect(area.pixelOfX(300)).toBe(360 - MARGIN.right);
  expect(area.pixelOfY(0)).toBe(224 - MARGIN.bottom);
  expect(area.pixelOfY(4)).toBe(MARGIN.top);
});
it("finds back the value at a pixel, on log axes too", () => {
  const area = new PlotArea(360, 224, { first: 1, last: 1000 }, { log: true, min: 1e-4, max: 100, interval: 2 }, true);
  for (const value of [1, 10, 555]) expect(area.xOfPixel(area.pixelOfX(value))).toBeCloseTo(value, 6);
  for (const value of [1e-4, 0.3, 100]) expect(area.yOfPixel(area.pixelOfY(value))).toBeCloseTo(value, 8);
});
it("does not divide by the width of a single step", () => {
  const area = new PlotArea(360, 224, { first: 5, last: 5 }, linear);
  expect(Number.isFinite(area.pixelOfX(5))).toBe(true);
});
