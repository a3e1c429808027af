// Painting of the Network picture: each kind of cell gets its own colour, and lines stand where their step is.
import { describe, expect, it } from "vitest";
import { stepTicks } from "./canvas";
import { hold, infSeen, nanSeen, networkScale, nothing, statisticOf, value } from "./network_grid";
import { nanStretches, paintCells, stepToX } from "./network_paint";
import { packColor } from "./scales";

const tokens = { seq: ["#000000", "#ffffff"], div: ["#0000ff", "#ffffff", "#ff0000"], heatZero: "#d9dde3", heatNanA: "#fbd9d6", heatNanB: "#b42318", heatInf: "#b42318" };
const cells = hold({ rows: 1, columns: 6, values: Float32Array.from([1, 0, 0, 0, 10, 0]), marks: Uint8Array.from([value, nanSeen, nanSeen, infSeen, value, value]) });

describe("cells", () => {
  it("are coloured by value, NaN, Inf and exact zero by their marks", () => {
    const pixels = new Uint32Array(6);
    const { scale } = networkScale(tokens, statisticOf("rms"), "log", [cells]);
    paintCells(pixels, cells, scale, tokens);
    expect(pixels[1]).toBe(packColor(tokens.heatNanA));
    expect(pixels[3]).toBe(packColor(tokens.heatInf));
    expect(pixels[4]).toBe(packColor("#ffffff"));
    expect(pixels[5]).toBe(packColor(tokens.heatZero));
  });
  it("stay transparent where nothing was recorded", () => {
    const pixels = new Uint32Array([7, 7]);
    const empty = hold({ rows: 1, columns: 2, values: new Float32Array(2), marks: Uint8Array.from([nothing, nothing]) });
    paintCells(pixels, empty, networkScale(tokens, statisticOf("rms"), "log", []).scale, tokens);
    expect([...pixels]).toEqual([0, 0]);
  });
  it("have their stretches of NaN found for the hatch", () => {
    expect(nanStretches(cells, 0)).toEqual([[1, 3]]);
  });
  it("of 60 layers and 4 runs are painted within a frame", () => {
    const rows = 60;
    const columns = 300;
    const big = hold({ rows, columns, values: Float32Array.from({ length: rows * columns }, (_, i) => (i % 97) / 50 + 0.01), marks: new Uint8Array(rows * columns).fill(value) });
    const { scale } = networkScale(tokens, statisticOf("rms"), "log", [big]);
    const pixels = new Uint32Array(rows * columns);
    paintCells(pixels, big, scale, tokens);
    let best = Infinity;
    for (let turn = 0; turn < 5; turn++) {
      const start = performance.now();
      for (let run = 0; run < 4; run++) paintCells(pixels, big, scale, tokens);
      best = Math.min(best, performance.now() - start);
    }
    expect(best).toBeLessThan(16);
  });
});

describe("steps", () => {
  it("have their line in the middle of their column", () => {
    const steps = { first: 0, perColumn: 1, columns: 30 };
    expect(stepToX(0, 300, steps)).toBe(5);
    expect(stepToX(29, 300, steps)).toBe(295);
    expect(stepToX(30, 300, steps)).toBeNull();
  });
  it("are labelled at round numbers with room for the word", () => {
    expect(stepTicks(0, 299, 184)).toEqual([0, 100, 200]);
    expect(stepTicks(5, 5, 100)).toEqual([5]);
    expect(stepTicks(0, 1_000_000, 60).length).toBeLessThanOrEqual(2);
  });
});
