// Curves out of answers of the server: places of points on each x axis.
import { describe, expect, it } from "vitest";
import { curvesOf, epochAt, stepsWithin, withNeighbours, xRangeOf, type SentSeries, type XChoice } from "./curve_data";

const series = (change: Partial<SentSeries> = {}): SentSeries => ({
  run: "a", tag: "train/loss", step: [0, 10, 20], value: [3, 2, 1], badStep: [], badValue: [], totalPoints: 3, totalNonFinite: 0, replacedPoints: 0, ...change,
});
const uses = [{ tag: "train/loss", phase: "train", role: "train" as const }];
const look = { colorOf: () => "#123456", dashOf: () => [], groupOf: () => "" };
const choice = (change: Partial<XChoice> = {}): XChoice => ({ kind: "step", epochsOf: () => undefined, startOf: () => undefined, ...change });

describe("curvesOf", () => {
  it("keeps the arrays of the server when nothing has to change", () => {
    const sent = series();
    const curve = curvesOf([sent], uses, choice(), look).curves[0];
    expect(curve?.x).toBe(sent.step);
    expect(curve?.y).toBe(sent.value);
  });
  it("places NaN by its step, and by a time between its neighbours", () => {
    const sent = series({ badStep: [15], badValue: [NaN], wallTime: [100, 110, 130] });
    expect([...Array.from(curvesOf([sent], uses, choice(), look).curves[0]?.x ?? [])]).toEqual([0, 10, 15, 20]);
    expect([...Array.from(curvesOf([sent], uses, choice({ kind: "wall" }), look).curves[0]?.x ?? [])]).toEqual([100, 110, 120, 130]);
  });
  it("counts relative time from the start of the run", () => {
    const sent = series({ wallTime: [100, 110, 130] });
    const curve = curvesOf([sent], uses, choice({ kind: "relative", startOf: () => 95 }), look).curves[0];
    expect(Array.from(curve?.x ?? [])).toEqual([5, 15, 35]);
  });
  it("names the runs that have no epochs", () => {
    expect(curvesOf([series()], uses, choice({ kind: "epoch" }), look)).toEqual({ curves: [], withoutX: ["a"] });
  });
});

describe("epochAt", () => {
  const epochs = { step: [0, 63, 126], value: [0, 1, 2] };
  it("is whole where an epoch begins, and goes on after the last", () => {
    expect(epochAt(epochs, 63)).toBe(1);
    expect(epochAt(epochs, 31.5)).toBe(0.5);
    expect(epochAt(epochs, 189)).toBe(3);
  });
});

describe("ranges", () => {
  const curves = curvesOf([series()], uses, choice(), look).curves;
  it("hold every curve, and leave 0 out of a log axis", () => {
    expect(xRangeOf(curves, false)).toEqual({ first: 0, last: 20 });
    expect(xRangeOf(curves, true)).toEqual({ first: 10, last: 20 });
    expect(xRangeOf([], false)).toEqual({ first: 0, last: 1 });
  });
  it("find the steps behind a stretch of x, with a neighbour on either side", () => {
    expect(stepsWithin(curves, { first: 8, last: 12 })).toEqual({ first: 0, last: 20 });
    expect(stepsWithin(curves, { first: 11, last: 30 })).toEqual({ first: 10, last: 20 });
    expect(stepsWithin(curves, { first: 50, last: 60 })).toBeNull();
  });
});

describe("withNeighbours", () => {
  const whole = series({ step: [0, 50, 100, 150, 200], value: [0, 1, 2, 3, 4] });
  it("lets lines reach the edges of a zoomed plot", () => {
    const detail = series({ step: [60, 70, 90], value: [6, 7, 9] });
    const [joined] = withNeighbours([detail], [whole], { first: 55, last: 95 });
    expect(joined?.step).toEqual([50, 60, 70, 90, 100]);
    expect(joined?.value).toEqual([1, 6, 7, 9, 2]);
  });
  it("draws a line through a stretch without points", () => {
    expect(withNeighbours([], [whole], { first: 110, last: 120 })[0]?.step).toEqual([100, 150]);
    expect(withNeighbours([], [whole], { first: 300, last: 320 })[0]?.step).toEqual([200]);
  });
  it("does not cross a NaN", () => {
    const broken = series({ step: [0, 50, 100], value: [0, 1, 2], badStep: [52], badValue: [NaN] });
    expect(withNeighbours([], [broken], { first: 60, last: 90 })[0]?.step).toEqual([100]);
  });
  it("does not repeat a point at the very edge", () => {
    const detail = series({ step: [50, 100], value: [1, 2] });
    expect(withNeighbours([detail], [whole], { first: 50, last: 100 })[0]?.step).toEqual([0, 50, 100, 150]);
  });
});
