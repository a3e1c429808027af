// Marks: nothing that cannot be drawn as a line goes missing without a word.
import { describe, expect, it } from "vitest";
import type { Curve } from "./curve";
import { marksOf, notesOf } from "./curve_marks";

const curve = (y: number[], change: Partial<Curve> = {}): Curve => ({
  run: "a", tag: "loss", phase: "value", role: "single", group: "", color: "#123456", dash: [], x: y.map((_, i) => i), y,
  step: y.map((_, i) => i), totalPoints: y.length, totalNonFinite: 0, replacedPoints: 0, ...change,
});
const linear = { log: false, min: 0, max: 3, interval: 1 };
const log = { log: true, min: 0.1, max: 10, interval: 1 };
const all = { first: 0, last: 100 };

describe("marksOf", () => {
  it("gives NaN and Inf their own rails from first to last", () => {
    const { rails } = marksOf([curve([1, NaN, 2, NaN, Infinity])], linear, all);
    expect(rails).toEqual([
      { kind: "nan", run: "a", color: "#123456", first: 1, last: 3, firstStep: 1, count: 2 },
      { kind: "inf", run: "a", color: "#123456", first: 4, last: 4, firstStep: 4, count: 1 },
    ]);
  });
  it("counts every point beyond the axis, on both sides", () => {
    const marks = marksOf([curve([1, 50, 4, -2])], linear, all);
    expect([marks.cutAbove, marks.cutBelow, marks.largest, marks.smallest]).toEqual([2, 1, 50, -2]);
  });
  it("draws no two triangles at one place, yet counts all points", () => {
    const marks = marksOf([curve(new Array<number>(1000).fill(9))], linear, { first: 0, last: 1000 });
    expect(marks.cutAbove).toBe(1000);
    expect(marks.cuts.length).toBeLessThanOrEqual(81);
  });
  it("marks values of 0 and less on a log axis", () => {
    expect(marksOf([curve([1, 0, -1])], log, all).rails).toMatchObject([{ kind: "low", first: 1, last: 2, count: 2 }]);
  });
  it("counts the NaN of a reduced curve as the server does", () => {
    expect(marksOf([curve([1, NaN, NaN], { totalNonFinite: 5000 })], linear, all).rails).toMatchObject([{ kind: "nan", count: 5000 }]);
  });
  it("keeps to the part of x that is shown", () => {
    expect(marksOf([curve([NaN, 1, NaN])], linear, { first: 1, last: 5 }).rails).toMatchObject([{ first: 2, count: 1 }]);
  });
});

describe("notesOf", () => {
  it("says how many, how far and since when", () => {
    const marks = marksOf([curve([1, 3.94e11, NaN, NaN])], linear, all);
    expect(notesOf(marks).map((note) => `${note.sign} ${note.text}`)).toEqual(["\u25b2 1 up to 3.94e11", "\u25cf 2 NaN from 2"]);
  });
  it("adds up train and val of one run", () => {
    const marks = marksOf([curve([1, NaN]), curve([NaN, NaN], { role: "val" })], linear, all);
    expect(notesOf(marks).map((note) => note.text)).toEqual(["3 NaN from 0"]);
  });
  it("names a number of runs when there are many", () => {
    const many = Array.from({ length: 9 }, (_, i) => curve([...new Array<number>(i).fill(0), NaN], { run: `r${i}` }));
    expect(notesOf(marksOf(many, linear, all)).map((note) => note.text)).toEqual(["NaN in 9 runs from 0"]);
  });
  it("says what a log axis leaves out", () => {
    expect(notesOf(marksOf([curve([1, 0, 0])], log, all), 3).map((note) => note.text)).toEqual(["2 \u2264 0", "3 at x \u2264 0"]);
  });
});
