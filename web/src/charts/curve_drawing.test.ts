// Drawings: how many runs are drawn how, and what the cursor says of them.
import { describe, expect, it } from "vitest";
import type { Curve } from "./curve";
import { drawingOf, type DrawingWish } from "./curve_drawing";
import { pairs, stretchesOf } from "./curve_option";
import { cursorTable, rowsAround } from "./cursor_rows";
import { PlotArea } from "./plot_area";

const curve = (run: string, y: number[], change: Partial<Curve> = {}): Curve => ({
  run, tag: "loss", phase: "value", role: "single", group: "g", color: "#123456", dash: [], x: y.map((_, i) => i), y, step: y.map((_, i) => i),
  totalPoints: y.length, totalNonFinite: 0, replacedPoints: 0, ...change,
});
const wish: DrawingWish = { kind: "loss", log: "auto", clip: true, xKind: "step", logX: false, zoom: null, smoothing: 0, plotWidth: 300 };
const runs = (n: number): Curve[] => Array.from({ length: n }, (_, i) => curve(`r${i}`, [i, i + 1, i + 2]));

describe("drawingOf", () => {
  it("draws up to 12 runs in full, up to 40 faintly, and more as a band per group", () => {
    expect(drawingOf(runs(12), wish).lines.every((line) => line.width === 1.75 && line.opacity === 1)).toBe(true);
    expect(drawingOf(runs(13), wish).lines.every((line) => line.width === 1 && line.opacity === 0.35)).toBe(true);
    const many = drawingOf(runs(41), wish);
    expect(many.lines).toEqual([]);
    expect(many.bands).toHaveLength(1);
    expect([...(many.bands[0]?.band.mean ?? [])]).toEqual([20, 21, 22]);
  });
  it("leaves raw values as a ghost under the smoothed line", () => {
    const lines = drawingOf([curve("a", [1, 2, 3])], { ...wish, smoothing: 0.5 }).lines;
    expect(lines.map((line) => line.opacity)).toEqual([0.3, 1]);
    expect(lines[0]?.y).toEqual([1, 2, 3]);
  });
  it("draws train thin, val thick and above it", () => {
    const lines = drawingOf([curve("a", [1], { role: "val", phase: "val" }), curve("a", [1], { role: "train", phase: "train" })], wish).lines;
    expect(lines.map((line) => [line.curve.role, line.width, line.opacity])).toEqual([["train", 1, 0.62], ["val", 1.75, 1]]);
  });
  it("shows points only where they are sparse", () => {
    expect(drawingOf([curve("a", new Array<number>(10).fill(1))], wish).lines[0]?.symbols).toBe(true);
    expect(drawingOf([curve("a", new Array<number>(100).fill(1))], wish).lines[0]?.symbols).toBe(false);
  });
  it("counts what a log x axis leaves out", () => {
    expect(drawingOf([curve("a", [1, 2, 3]), curve("b", [1, 2])], { ...wish, logX: true }).beforeAxis).toBe(2);
    expect(drawingOf([curve("a", [1, 2, 3])], wish).beforeAxis).toBe(0);
  });
  it("fits the value axis to what the zoom leaves", () => {
    const drawing = drawingOf([curve("a", [1000, 10, 2, 1])], { ...wish, zoom: { first: 2, last: 3 } });
    expect(drawing.axis.max).toBeLessThanOrEqual(2);
    expect(drawing.marks.cutAbove).toBe(0);
  });
});

describe("pairs", () => {
  it("leaves a gap for what has no place on the axis", () => {
    expect([...pairs([0, 1, 2], [1, NaN, -1], false, true)]).toEqual([0, 1, 1, NaN, 2, NaN]);
    expect([...pairs([0, 1], [1, Infinity], true, false)]).toEqual([NaN, NaN, 1, NaN]);
  });
});

describe("stretchesOf", () => {
  it("ends a line at a gap and begins a new one behind it", () => {
    const area = new PlotArea(400, 224, { first: 0, last: 4 }, { log: false, min: 0, max: 4, interval: 1 });
    const broken = curve("a", [1, 2, NaN, 3, Infinity]);
    const stretches = stretchesOf({ curve: broken, y: broken.y }, area);
    expect(stretches.map((points) => points.length)).toEqual([2, 2]);
    expect(stretches[0]?.[1]).toEqual([area.pixelOfX(1), area.pixelOfY(2)]);
  });
});

describe("cursorTable", () => {
  const drawing = drawingOf([curve("low", [1, 1]), curve("high", [3, 3]), curve("broken", [1, NaN]), curve("short", [9])], wish);
  const area = new PlotArea(400, 224, drawing.x, drawing.axis);
  it("sorts runs by value, NaN and nothing last, and finds the nearest", () => {
    const table = cursorTable(drawing, 1, area.pixelOfY(1.1), area);
    expect(table.rows.map((row) => row.run)).toEqual(["high", "low", "broken", "short"]);
    expect(table.rows.filter((row) => row.nearest).map((row) => row.run)).toEqual(["low"]);
    expect(table.rows[2]?.cells["value"]?.y).toBeNaN();
    expect(table.rows[3]?.cells["value"]).toBeUndefined();
  });
  it("knows the last value of every run", () => {
    const table = cursorTable(drawing, null, null, area);
    expect(table.rows.map((row) => [row.run, row.cells["value"]?.y])).toEqual([["short", 9], ["high", 3], ["low", 1], ["broken", NaN]]);
  });
  it("keeps the rows around the nearest when there are many", () => {
    const many = drawingOf(runs(100), wish);
    const plot = new PlotArea(400, 224, many.x, many.axis);
    const around = rowsAround(cursorTable(many, 0, plot.pixelOfY(50), plot).rows, 12);
    expect(around.rows).toHaveLength(12);
    expect(around.rows.some((row) => row.nearest)).toBe(true);
    expect(around.above + around.below + 12).toBe(100);
  });
});
