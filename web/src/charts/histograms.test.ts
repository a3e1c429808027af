// Distributions: no value is lost or counted twice on the way from buckets to pictures.
import { describe, expect, it } from "vitest";
import { columnEnds, countWithin, isSpoilt, nearest, rebin, thin, usualStride, valueAxis, valueRange, zeroShare, type Histograms } from "./histograms";
import { linear } from "./scales";

interface Step {
  step: number;
  buckets: [number, number, number][];
  zeros?: number;
  nan?: number;
}

function histogramsOf(steps: Step[]): Histograms {
  const offset = [0];
  const [left, right, count]: [number[], number[], number[]] = [[], [], []];
  for (const one of steps) {
    for (const [l, r, c] of one.buckets) {
      left.push(l);
      right.push(r);
      count.push(c);
    }
    offset.push(left.length);
  }
  const ends = (at: (step: Step) => number) => steps.map(at);
  const zero = steps.map(() => 0);
  return {
    run: "a", tag: "w", totalSteps: steps.length,
    step: ends((s) => s.step),
    zeros: ends((s) => s.zeros ?? 0),
    nan: ends((s) => s.nan ?? 0),
    positiveInf: zero, negativeInf: zero,
    total: ends((s) => s.buckets.reduce((sum, b) => sum + b[2], s.nan ?? 0)),
    min: ends((s) => s.buckets[0]?.[0] ?? Number.NaN),
    max: ends((s) => s.buckets.at(-1)?.[1] ?? Number.NaN),
    p5: zero, p25: zero, p50: zero, p75: zero, p95: zero,
    offset, left, right, count,
  };
}

const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0);

describe("rebinning", () => {
  it("keeps every value: inside, below or above", () => {
    const h = histogramsOf([{ step: 0, buckets: [[-3, -1, 10], [-1, 0.5, 7], [0.5, 4, 20]] }]);
    const { counts, below, above } = rebin(h, 0, linear(-2, 2), 16);
    expect(sum(counts) + below + above).toBeCloseTo(37, 9);
    expect(below).toBeCloseTo(5, 9);
    expect(above).toBeCloseTo((20 * 2) / 3.5, 9);
  });
  it("spreads a bucket evenly over what it covers", () => {
    const { counts } = rebin(histogramsOf([{ step: 0, buckets: [[0.5, 2.5, 8]] }]), 0, linear(0, 4), 4);
    expect([...counts]).toEqual([2, 4, 2, 0]);
  });
  it("leaves exact zeros out of the bucket around 0, and nothing else", () => {
    const h = histogramsOf([{ step: 0, buckets: [[0, 1, 90], [1, 2, 10]], zeros: 80 }]);
    expect([...rebin(h, 0, linear(0, 2), 2).counts]).toEqual([10, 10]);
    expect(zeroShare(h, 0)).toBe(0.8);
  });
  it("finds the zeros at the upper end of negative values", () => {
    const h = histogramsOf([{ step: 0, buckets: [[-2, -1, 5], [-1, 0, 6]], zeros: 6 }]);
    expect([...rebin(h, 0, linear(-2, 0), 2).counts]).toEqual([5, 0]);
  });
  it("puts a constant tensor into one bin", () => {
    expect([...rebin(histogramsOf([{ step: 0, buckets: [[1, 1, 64]] }]), 0, linear(0, 2), 4).counts]).toEqual([0, 0, 64, 0]);
    expect([...rebin(histogramsOf([{ step: 0, buckets: [[2, 2, 64]] }]), 0, linear(0, 2), 4).counts]).toEqual([0, 0, 0, 64]);
  });
  it("counts within a stretch of the axis", () => {
    expect(countWithin(histogramsOf([{ step: 0, buckets: [[0, 10, 100]] }]), 0, 2, 4)).toBeCloseTo(20, 9);
  });
});

describe("ranges", () => {
  const usual = histogramsOf([0, 1, 2, 3].map((step) => ({ step, buckets: [[0, 4, 10]] })));
  it("begin at 0 for values that are not negative", () => {
    expect(valueRange([usual])).toEqual({ lo: 0, hi: 4 });
  });
  it("are not ruined by one exploding run", () => {
    const wild = histogramsOf([0, 1, 2, 3].map((step) => ({ step, buckets: [[0, 1e12, 10]] })));
    expect(valueRange([usual, usual, usual, wild]).hi).toBeCloseTo(5.2, 9);
  });
  it("hold both of two runs, unless one explodes", () => {
    const upTo = (hi: number) => histogramsOf([0, 1, 2, 3].map((step) => ({ step, buckets: [[0, hi, 10]] })));
    expect(valueRange([usual, upTo(40)]).hi).toBe(40);
    expect(valueRange([usual, upTo(1e9)]).hi).toBeCloseTo(5.2, 9);
  });
  it("are symmetric for nearly symmetric values", () => {
    expect(valueRange([histogramsOf([{ step: 0, buckets: [[-2, 3, 10]] }])])).toEqual({ lo: -3, hi: 3 });
  });
  it("stay away from 0 where the values do", () => {
    expect(valueRange([histogramsOf([{ step: 0, buckets: [[0.9, 1.1, 10]] }])])).toEqual({ lo: 0.9, hi: 1.1 });
  });
  it("have a width for constants and for nothing", () => {
    const { lo, hi } = valueRange([histogramsOf([{ step: 0, buckets: [[5, 5, 10]] }])]);
    expect(hi).toBeGreaterThan(lo);
    expect(valueRange([])).toEqual({ lo: 0, hi: 1 });
  });
  it("leave spoilt steps out", () => {
    const h = histogramsOf([{ step: 0, buckets: [[0, 1, 10]] }, { step: 1, buckets: [[0, 1e9, 1]], nan: 9 }]);
    expect(isSpoilt(h, 1)).toBe(true);
    expect(valueRange([h]).hi).toBe(1);
  });
  it("give a symlog axis the same ends", () => {
    const axis = valueAxis("symlog", { lo: -4, hi: 4 }, [usual]);
    expect([axis.kind, axis.place(-4), axis.place(4)]).toEqual(["symlog", 0, 1]);
  });
});

describe("steps", () => {
  it("end at the next one, or after the usual distance where some are missing", () => {
    expect(usualStride([0, 10, 20, 60, 70])).toBe(10);
    expect([...columnEnds({ step: [0, 10, 20, 60, 70], totalSteps: 5 })]).toEqual([10, 20, 30, 70, 80]);
  });
  it("have no gaps where an even choice skipped some", () => {
    expect([...columnEnds({ step: [0, 2, 4, 8, 10], totalSteps: 6 })]).toEqual([2, 4, 8, 10, 12]);
  });
  it("are thinned evenly with the last one kept", () => {
    expect(thin(10, 4)).toEqual([0, 3, 6, 9]);
    expect(thin(3, 40)).toEqual([0, 1, 2]);
    expect(thin(0, 4)).toEqual([]);
  });
  it("are found by nearness", () => {
    expect([-5, 4, 6, 14, 99].map((step) => nearest([0, 10, 20], step))).toEqual([0, 0, 1, 1, 2]);
    expect(nearest([], 3)).toBe(-1);
  });
});
