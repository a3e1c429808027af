// Parallel coordinates: places of values, and the line under the pointer.
import { describe, expect, it } from "vitest";
import { axisOf, distanceTo, labelsOf, placeOn } from "./parallel";

describe("axisOf", () => {
  it("is a log axis for hyperparameters that span decades, never for metrics", () => {
    expect(axisOf("lr", [1e-4, 1e-2], false).form).toBe("log");
    expect(axisOf("batch", [16, 64], false).form).toBe("linear");
    expect(axisOf("loss", [1e-4, 1e2], true).form).toBe("linear");
  });
  it("gives each word a place of its own", () => {
    const axis = axisOf("optimizer", ["sgd", "adam", null, "sgd"], false);
    expect(axis.words).toEqual(["adam", "sgd"]);
    expect([placeOn(axis, "adam"), placeOn(axis, "sgd")]).toEqual([0, 1]);
    expect(placeOn(axisOf("x", [true, false, "auto"], false), true)).toBeGreaterThan(0);
  });
});

describe("placeOn", () => {
  const axis = axisOf("lr", [1e-4, 1e-2], false);
  it("runs from bottom to top", () => {
    expect(placeOn(axis, 1e-4)).toBe(0);
    expect(placeOn(axis, 1e-3)).toBeCloseTo(0.5, 9);
    expect(placeOn(axis, 1e-2)).toBe(1);
  });
  it("has no place for NaN and for what was not recorded", () => {
    expect([placeOn(axis, NaN), placeOn(axis, null), placeOn(axis, undefined)]).toEqual([NaN, NaN, NaN]);
  });
  it("puts a single value in the middle", () => {
    expect(placeOn(axisOf("seed", [7, 7], false), 7)).toBe(0.5);
  });
});

it("labels ends and middle", () => {
  expect(labelsOf(axisOf("a", [0, 10], false), 5, String)).toEqual([{ at: 0, text: "0" }, { at: 0.5, text: "5" }, { at: 1, text: "10" }]);
});

it("finds the line under the pointer, also when it stops halfway", () => {
  const line = { run: "a", places: [0, 1, NaN], shade: 0 };
  const xOf = (axis: number): number => axis * 100;
  const yOf = (place: number): number => 100 - place * 100;
  expect(distanceTo(line, 50, 50, xOf, yOf)).toBeCloseTo(0, 6);
  expect(distanceTo(line, 150, 0, xOf, yOf)).toBe(50);
});
