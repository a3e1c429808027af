// Curves: which point a cursor shows, and where a line stops.
import { describe, expect, it } from "vitest";
import { joinBadPoints, lowerBound, pointAt } from "./curve";

describe("pointAt", () => {
  const curve = { x: [0, 10, 20, 30], y: [1, 2, NaN, 4] };
  it("shows the nearest point of a curve", () => {
    expect(pointAt({ ...curve, role: "single" }, 14)?.y).toBe(2);
    expect(pointAt({ ...curve, role: "single" }, 26)?.y).toBe(4);
    expect(pointAt({ ...curve, role: "train" }, 20)?.y).toBeNaN();
  });
  it("holds the last value of a val curve until the next epoch", () => {
    expect(pointAt({ ...curve, role: "val" }, 9.9)?.y).toBe(1);
    expect(pointAt({ ...curve, role: "val" }, 10)?.y).toBe(2);
    expect(pointAt({ ...curve, role: "val" }, -1)).toBeNull();
  });
  it("shows the last point a little beyond the end", () => {
    expect(pointAt({ ...curve, role: "single" }, 31)?.x).toBe(30);
    expect(pointAt({ ...curve, role: "val" }, 31)?.x).toBe(30);
  });
  it("shows nothing far beyond the ends", () => {
    expect(pointAt({ ...curve, role: "single" }, 41)).toBeNull();
    expect(pointAt({ ...curve, role: "val" }, 45)).toBeNull();
    expect(pointAt({ x: [], y: [], role: "single" }, 0)).toBeNull();
    expect(pointAt({ x: [5], y: [1], role: "single" }, 5)?.y).toBe(1);
  });
});

it("finds where a number would stand", () => {
  expect([-1, 0, 5, 10, 11].map((x) => lowerBound([0, 10], x))).toEqual([0, 0, 1, 1, 2]);
});

it("puts NaN and Inf back to where they were recorded", () => {
  const { x, y } = joinBadPoints([0, 1, 4], [10, 11, 14], [2, 3, 5], [NaN, Infinity, NaN]);
  expect([...x]).toEqual([0, 1, 2, 3, 4, 5]);
  expect([...y]).toEqual([10, 11, NaN, Infinity, 14, NaN]);
});

it("counts a NaN once that stands among the points and among the bad ones", () => {
  const { x, y } = joinBadPoints([0, 1, 2, 3], [10, NaN, NaN, 13], [1, 2], [NaN, Infinity]);
  expect([...x]).toEqual([0, 1, 2, 3]);
  expect([...y]).toEqual([10, NaN, Infinity, 13]);
});
