// Bands: what mean, min and max of a group say.
import { expect, it } from "vitest";
import { bandOf } from "./bands";

it("is exact on the steps that all curves share", () => {
  const band = bandOf([
    { x: [0, 10, 20], y: [1, 2, 3] },
    { x: [0, 10, 20], y: [3, 4, 8] },
  ]);
  expect([...band.x]).toEqual([0, 10, 20]);
  expect([...band.mean]).toEqual([2, 3, 5.5]);
  expect([...band.min]).toEqual([1, 2, 3]);
  expect([...band.max]).toEqual([3, 4, 8]);
});
it("leaves a curve out beyond its ends", () => {
  const band = bandOf([
    { x: [0, 1, 2, 3, 4], y: [1, 1, 1, 1, 1] },
    { x: [0, 1, 2], y: [3, 3, 3] },
  ]);
  expect([...band.curves]).toEqual([2, 2, 2, 1, 1]);
  expect(band.mean[0]).toBe(2);
  expect(band.mean[4]).toBe(1);
});
it("keeps every spike in the band, whatever the grid", () => {
  const x = Array.from({ length: 5000 }, (_, i) => i);
  const band = bandOf([
    { x, y: x.map((i) => (i === 3333 ? 99 : 0)) },
    { x: [0, 4999], y: [1, 1] },
  ]);
  expect(band.x.length).toBeLessThanOrEqual(200);
  expect(Math.max(...band.max)).toBe(99);
});
it("does not count NaN", () => {
  const band = bandOf([
    { x: [0, 1], y: [NaN, 2] },
    { x: [0, 1], y: [4, 4] },
  ]);
  expect([...band.mean]).toEqual([4, 3]);
  expect([...band.curves]).toEqual([1, 2]);
});
it("has nothing to say about nothing", () => {
  expect(bandOf([]).x.length).toBe(0);
  expect(bandOf([{ x: [5], y: [NaN] }]).mean[0]).toBeNaN();
});
