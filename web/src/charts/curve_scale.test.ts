// Value axes: where they begin, end and stop at outliers.
import { describe, expect, it } from "vitest";
import { valueAxisOf, valueKindOf, type AxisWish } from "./curve_scale";

const wish = (change: Partial<AxisWish> = {}): AxisWish => ({ kind: "other", log: "auto", clip: true, ...change });
const curve = (size: number, f: (i: number) => number): Float64Array => Float64Array.from({ length: size }, (_, i) => f(i));

describe("valueKindOf", () => {
  it("knows losses, fractions and rates by their names", () => {
    expect(["loss", "val_loss", "mse", "class_loss"].map(valueKindOf)).toEqual(["loss", "loss", "loss", "loss"]);
    expect(["accuracy", "binary_accuracy", "val_acc", "auc", "f1"].map(valueKindOf)).toEqual(Array(5).fill("fraction"));
    expect(["learning_rate", "lr", "update_ratio/conv/kernel"].map(valueKindOf)).toEqual(["rate", "rate", "rate"]);
    expect(["reward", "step_seconds", "accent"].map(valueKindOf)).toEqual(["other", "other", "other"]);
  });
});

describe("valueAxisOf", () => {
  it("runs fractions from 0 to 1", () => {
    expect(valueAxisOf([[0.4, 0.7]], wish({ kind: "fraction" }))).toEqual({ log: false, min: 0, max: 1, interval: 0.25 });
  });
  it("starts losses at 0 unless it is zoomed in", () => {
    expect(valueAxisOf([[2.2, 2.3]], wish({ kind: "loss" })).min).toBe(0);
    expect(valueAxisOf([[2.21, 2.3]], wish({ kind: "loss", zoomed: true })).min).toBeGreaterThan(2);
  });
  it("does not press values far from 0 into a line", () => {
    const axis = valueAxisOf([[1000, 1001]], wish());
    expect(axis.min).toBeGreaterThanOrEqual(999);
    expect(axis.max).toBeLessThanOrEqual(1002);
  });
  it("has at most 5 labels and holds all values", () => {
    for (const top of [0.0123, 0.9, 1.01, 3.7, 24, 51, 99, 1234567]) {
      for (const bottom of [0, -top / 3, -7 * top, top / 3]) {
        const axis = valueAxisOf([[bottom, top]], wish({ clip: false }));
        expect(axis.min).toBeLessThanOrEqual(bottom);
        expect(axis.max).toBeGreaterThanOrEqual(top);
        expect(Math.round((axis.max - axis.min) / axis.interval)).toBeLessThanOrEqual(4);
      }
    }
  });
  it("cuts a spike of over four times the 98.5th percentile, and only then", () => {
    const spiky = curve(300, (i) => (i === 150 ? 1e11 : 2));
    expect(valueAxisOf([spiky], wish({ kind: "loss" })).max).toBe(3);
    expect(valueAxisOf([spiky], wish({ kind: "loss", clip: false })).max).toBe(1e11);
    expect(valueAxisOf([curve(300, (i) => (i === 150 ? 7 : 2))], wish()).max).toBeGreaterThanOrEqual(7);
  });
  it("begins and ends log axes on a decade, with at most 5 labels", () => {
    const axis = valueAxisOf([[0.0003, 25, -1, 0]], wish({ log: true }));
    expect(axis).toEqual({ log: true, min: 10 ** -4, max: 10 ** 2, interval: 2 });
  });
  it("takes the log of a rate by itself when it spans decades, and of nothing else", () => {
    expect(valueAxisOf([[1e-3, 0.9]], wish({ kind: "rate" })).log).toBe(true);
    expect(valueAxisOf([[1e-3, 2e-3]], wish({ kind: "rate" })).log).toBe(false);
    expect(valueAxisOf([[1e-3, 0.9]], wish({ kind: "rate", log: false })).log).toBe(false);
    expect(valueAxisOf([[1e-3, 900]], wish()).log).toBe(false);
  });
  it("draws constants and nothing", () => {
    for (const value of [0, 5, -3, 1e-9]) {
      const axis = valueAxisOf([[value, value]], wish());
      expect(axis.min).toBeLessThanOrEqual(value);
      expect(axis.max).toBeGreaterThanOrEqual(value);
      expect(axis.max).toBeGreaterThan(axis.min);
    }
    expect(valueAxisOf([[NaN, Infinity]], wish())).toEqual({ log: false, min: 0, max: 1, interval: 0.25 });
    expect(valueAxisOf([[-1]], wish({ log: true })).log).toBe(true);
  });
});
