// Colour scales: where values land, and that what has no place on a scale is marked and not coloured.
import { describe, expect, it } from "vitest";
import { colorTable, cssOf, decades, divScale, extent, isHatched, linear, log, mapping, mix, parseColor, seqScale, symlog } from "./scales";

const tokens = {
  seq: ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"],
  div: ["#1f4e9c", "#4a7fc4", "#8fb3de", "#cfdff1", "#f7f8fa", "#f6d5c9", "#e79c85", "#cb5a4a", "#9b1b2c"],
  heatZero: "#d9dde3",
  heatNanA: "#fbd9d6",
  heatNanB: "#b42318",
  heatInf: "#b42318",
};

describe("colours", () => {
  it("reads the notations that tokens use", () => {
    expect(parseColor("#fde725")).toEqual([253, 231, 37]);
    expect(parseColor("#fff")).toEqual([255, 255, 255]);
    expect(parseColor("rgb(1, 2, 3)")).toEqual([1, 2, 3]);
    expect(parseColor("rgb(1 2 3 / .5)")).toEqual([1, 2, 3]);
  });
  it("fades one into another", () => {
    expect(mix("#000000", "#ffffff", 0.5)).toBe("rgb(128, 128, 128)");
  });
  it("goes through the stops, ends exact", () => {
    const table = colorTable(tokens.seq);
    expect(cssOf(table[0] ?? 0)).toBe("rgb(68, 1, 84)");
    expect(cssOf(table.at(-1) ?? 0)).toBe("rgb(253, 231, 37)");
  });
});

describe("value axes", () => {
  it("places and reads back on each kind of axis", () => {
    for (const axis of [linear(-2, 6), log(1e-4, 10), symlog(-5, 50, 0.01)]) {
      for (const place of [0, 0.2, 0.5, 1]) expect(axis.place(axis.value(place))).toBeCloseTo(place, 9);
      expect(axis.value(0)).toBeCloseTo(axis.lo, 9);
      expect(axis.value(1)).toBeCloseTo(axis.hi, 9);
    }
  });
  it("has no place on a log axis for zero and below", () => {
    expect(log(1e-3, 1).place(0)).toBeNaN();
    expect(log(1e-3, 1).place(-1)).toBeNaN();
  });
  it("falls back to linear when a log axis has no positive low end", () => {
    expect(mapping({ kind: "log", lo: 0, hi: 1 }).kind).toBe("linear");
  });
  it("labels round values, no more than asked", () => {
    expect(linear(0, 8.2).ticks(5)).toEqual([0, 2, 4, 6, 8]);
    expect(log(1e-4, 1).ticks(5)).toEqual([1e-4, 1e-3, 1e-2, 1e-1, 1]);
    expect(log(1e-8, 1).ticks(3)).toEqual([1e-8, 1e-4, 1]);
    expect(symlog(-0.5, 0.5, 1e-4).ticks(5)).toEqual([-0.1, -1e-3, 0, 1e-3, 0.1]);
    const ticks = symlog(-10, 10, 0.01).ticks(5);
    expect(ticks).toContain(0);
    expect(ticks.length).toBeLessThanOrEqual(5);
    expect([...ticks].sort((a, b) => a - b)).toEqual(ticks);
  });
  it("puts zero in the middle of a symmetric symlog axis", () => {
    expect(symlog(-3, 3, 0.001).place(0)).toBeCloseTo(0.5, 12);
  });
  it("takes whole decades around the values and keeps the top ones", () => {
    expect(decades(0.0003, 0.7)).toEqual({ lo: 1e-4, hi: 1 });
    expect(decades(1e-30, 1)).toEqual({ lo: 1e-8, hi: 1 });
    expect(decades(1, 1)).toEqual({ lo: 0.1, hi: 1 });
  });
  it("takes ends of finite values only, above zero on log axes", () => {
    expect(extent([Number.NaN, 3, -Infinity, -2, 0])).toEqual({ lo: -2, hi: 3 });
    expect(extent([0, -1, 2, 5], "log")).toEqual({ lo: 2, hi: 5 });
    expect(extent([Number.NaN])).toBeNull();
  });
});

describe("heat scales", () => {
  it("colours magnitudes low to high and clamps what lies outside", () => {
    const scale = seqScale(tokens, { kind: "log", lo: 1e-4, hi: 1 });
    expect(scale.css(1e-4)).toBe("rgb(68, 1, 84)");
    expect(scale.css(1e-9)).toBe("rgb(68, 1, 84)");
    expect(scale.css(1)).toBe("rgb(253, 231, 37)");
    expect(scale.css(1e9)).toBe("rgb(253, 231, 37)");
  });
  it("marks NaN, Inf and exact zero instead of colouring them", () => {
    const scale = seqScale(tokens, { kind: "log", lo: 1e-4, hi: 1 });
    expect([Number.NaN, Infinity, -Infinity, 0, -3, 0.5].map(scale.special)).toEqual(["nan", "inf", "inf", "zero", "below", null]);
    expect(scale.css(0)).toBe("rgb(217, 221, 227)");
    expect(scale.css(Infinity)).toBe("rgb(180, 35, 24)");
  });
  it("gives zero its colour on a linear scale", () => {
    expect(seqScale(tokens, { kind: "linear", lo: 0, hi: 1 }).special(0)).toBeNull();
  });
  it("centres signed values on the surface's own colour", () => {
    const scale = divScale(tokens, 4);
    expect(scale.css(0)).toBe("rgb(247, 248, 250)");
    expect(scale.css(-4)).toBe("rgb(31, 78, 156)");
    expect(scale.css(4)).toBe("rgb(155, 27, 44)");
  });
  it("hatches a third of the pixels, without seams between tiles", () => {
    let dark = 0;
    for (let y = 0; y < 6; y++) for (let x = 0; x < 6; x++) if (isHatched(x, y)) dark++;
    expect(dark).toBe(12);
    expect(isHatched(-1, 0)).toBe(isHatched(5, 0));
  });
});
