// Settings of curve cards: how much is asked for, and what a link keeps.
import { expect, it } from "vitest";
import { pointsToAsk, readZoom, writeZoom } from "./curve_settings";

it("asks for the extremes of each pixel column, and for less of each run when there are many", () => {
  expect(pointsToAsk(320, 4)).toBe(1280);
  expect(pointsToAsk(321, 4)).toBe(1536);
  expect(pointsToAsk(320, 100)).toBe(240);
  expect(pointsToAsk(320, 1000)).toBe(64);
});
it("finds a zoom again in the address, and ignores nonsense", () => {
  expect(readZoom(writeZoom({ first: 120, last: 480.5 }))).toEqual({ first: 120, last: 480.5 });
  expect([readZoom(""), readZoom("5..3"), readZoom("a..b"), readZoom("7")]).toEqual([null, null, null, null]);
});
