// Geometry of distribution pictures.
import { describe, expect, it } from "vitest";
import { frameOf, alongSteps } from "./distribution_frame";
import { percentileLine } from "./percentile_paint";
import { ridgeOutline, ridgeSteps } from "./ridge_paint";
import { linear } from "./scales";
import { heatPlace } from "./value_heat_paint";

const steps = [0, 10, 20, 30, 80, 90, 100];
const same = (value: number) => steps.map(() => value);
const histograms = {
  run: "a", tag: "w", totalSteps: 7, step: steps, zeros: same(0), nan: [0, 0, 60, 0, 0, 0, 0], positiveInf: same(0), negativeInf: same(0), total: same(100),
  min: same(0), max: same(1), p5: same(0.1), p25: same(0.25), p50: same(0.5), p75: same(0.75), p95: same(0.9),
  offset: same(0).concat(0), left: [], right: [], count: [],
};
const picture = { items: [], axis: linear(0, 1), firstStep: 0, lastStep: 100 };

describe("ridges", () => {
  it("begin and end on their base line, where the values do", () => {
    const outline = ridgeOutline([0, 0, 4, 1, 0], 5, 0.8, 40, 100, 10, 50);
    expect(outline[0]).toEqual([30, 100]);
    expect(outline.at(-1)).toEqual([50, 100]);
    expect(outline[1]).toEqual([35, 60]);
  });
  it("rise with the square root of the share, no higher than allowed", () => {
    const outline = ridgeOutline([1, 4], 4, 1, 40, 0, 0, 2);
    expect(outline[1]?.[1]).toBeCloseTo(-20, 9);
    expect(ridgeOutline([9], 1, 1, 40, 0, 0, 2)[1]?.[1]).toBe(-40);
  });
  it("are not drawn where there is nothing", () => {
    expect(ridgeOutline([0, 0], 0, 1, 40, 0, 0, 2)).toEqual([]);
  });
  it("are as many as there is room for, with the last step among them", () => {
    expect(ridgeSteps(picture, histograms, 400)).toHaveLength(7);
    expect(ridgeSteps(picture, histograms, 32).at(-1)).toBe(6);
    expect(ridgeSteps({ ...picture, lastStep: 20 }, histograms, 400)).toEqual([0, 1, 2]);
  });
});

describe("percentile lines", () => {
  it("break at spoilt steps and at gaps", () => {
    const pieces = percentileLine(picture, histograms, "p50", { left: 0, top: 0, width: 100, height: 10 });
    expect(pieces.map((piece) => piece.map(([x]) => x))).toEqual([[0, 10], [30], [80, 90, 100]]);
    expect(pieces[0]?.[0]?.[1]).toBe(5);
  });
});

describe("heat", () => {
  it("goes from one value to the brightest share", () => {
    expect(heatPlace(0, 1000)).toBe(0);
    expect(heatPlace(120, 1000)).toBe(1);
    expect(heatPlace(1000, 1000)).toBe(1);
  });
});

describe("frames", () => {
  it("leave room for the bars of zeros only where there are zeros", () => {
    expect(frameOf("ridges", 300, 300, true).width).toBeLessThan(frameOf("ridges", 300, 300, false).width);
    expect(alongSteps({ ...picture, lastStep: 0 }, 0)).toBe(0);
  });
});
