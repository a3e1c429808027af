// The Network picture's numbers: nothing is invented between captures, and the worst of a block shows.
import { describe, expect, it } from "vitest";
import { columnOfStep, endOf, gather, groupRows, hold, infSeen, layoutRows, nanSeen, networkScale, nothing, readCell, statisticOf, stepsOfColumn, value } from "./network_grid";

const tokens = { seq: ["#000000", "#ffffff"], div: ["#0000ff", "#ffffff", "#ff0000"], heatZero: "#d9dde3", heatNanA: "#fbd9d6", heatNanB: "#b42318", heatInf: "#b42318" };

function cellsOf(rows: (number | null)[][]) {
  const columns = rows[0]?.length ?? 0;
  const flat = rows.flat();
  return {
    rows: rows.length,
    columns,
    values: Float32Array.from(flat, (one) => one ?? 0),
    marks: Uint8Array.from(flat, (one) => (one === null ? nothing : Number.isNaN(one) ? nanSeen : Number.isFinite(one) ? value : infSeen)),
  };
}

describe("holding", () => {
  it("fills the columns between captures and leaves gaps empty", () => {
    const held = hold(cellsOf([[1, null, 2, null, 3, null, null, null, null, null, 4, null]]));
    expect([...held.marks]).toEqual([1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1]);
    expect([...held.values].slice(0, 6)).toEqual([1, 1, 2, 2, 3, 3]);
    expect([...held.origins].slice(4, 8)).toEqual([4, 4, -1, -1]);
  });
  it("does not hold the only capture over the whole row", () => {
    expect([...hold(cellsOf([[null, 5, null, null]])).marks]).toEqual([0, 1, 0, 0]);
  });
  it("leaves what it was given as it is", () => {
    const cells = cellsOf([[1, null, 2, null]]);
    hold(cells);
    expect([...cells.marks]).toEqual([1, 0, 1, 0]);
  });
});

describe("columns and steps", () => {
  it("finds the column of each step that a column stands for", () => {
    for (const [columns, perColumn] of [[7, 100 / 7], [100, 1], [50, 2]] as const) {
      const steps = { first: 10, perColumn, columns };
      for (let step = 10; step <= 109; step++) {
        const { first, last } = stepsOfColumn(columnOfStep(step, steps), steps);
        expect(step).toBeGreaterThanOrEqual(first);
        expect(step).toBeLessThanOrEqual(last);
      }
      expect(columnOfStep(110, steps)).toBe(-1);
      expect(columnOfStep(9, steps)).toBe(-1);
      expect(endOf(steps)).toBeCloseTo(110, 9);
    }
  });
});

describe("blocks", () => {
  it("keeps layers apart while there is room", () => {
    expect(groupRows(["a/x", "a/y"])).toEqual([
      { name: "a/x", layers: [0] },
      { name: "a/y", layers: [1] },
    ]);
  });
  it("groups neighbours by the longest beginning that gives few enough rows", () => {
    const paths = Array.from({ length: 40 }, (_, i) => `block${Math.floor(i / 4)}/conv${i % 4}`);
    const rows = groupRows(paths, 10);
    expect(rows.map((row) => row.name)).toEqual(Array.from({ length: 10 }, (_, i) => `block${i}`));
    expect(rows[1]?.layers).toEqual([4, 5, 6, 7]);
  });
  it("cuts names without structure into even pieces, and loses no layer", () => {
    const rows = groupRows(Array.from({ length: 301 }, (_, i) => `l${i}`), 150);
    expect(rows.length).toBeLessThanOrEqual(150);
    expect(rows.flatMap((row) => row.layers)).toEqual(Array.from({ length: 301 }, (_, i) => i));
  });
  it("shows the greatest magnitude of a block, and NaN before all", () => {
    const held = hold(cellsOf([[1, -2, 0.5], [-3, 1, Number.NaN], [2, Infinity, 9]]));
    const block = gather(held, [{ name: "b", layers: [0, 1, 2] }]);
    expect(block.values[0]).toBe(-3);
    expect([...block.marks]).toEqual([value, infSeen, nanSeen]);
  });
});

describe("scale", () => {
  it("takes whole decades around the values of all runs", () => {
    const { scale, below, above } = networkScale(tokens, statisticOf("rms"), "log", [cellsOf([[0.0004, 0.02]]), cellsOf([[0.3, 0.7]])]);
    expect([scale.mapping.lo, scale.mapping.hi, below, above]).toEqual([1e-4, 1, false, false]);
  });
  it("does not let one exploding run darken the others, and says that it is cut", () => {
    const { scale, above } = networkScale(tokens, statisticOf("rms"), "log", [cellsOf([Array.from({ length: 90 }, () => 0.01)]), cellsOf([Array.from({ length: 10 }, () => 1e30)])]);
    expect(scale.mapping.hi).toBeLessThanOrEqual(0.1);
    expect(above).toBe(true);
  });
  it("centres signed statistics on zero and runs shares from 0 to 1", () => {
    expect(networkScale(tokens, statisticOf("mean"), "linear", [cellsOf([[-1, 4]])]).scale.mapping.lo).toBe(-4);
    expect(networkScale(tokens, statisticOf("zeros"), "log", [cellsOf([[0.2, 0.4]])]).scale.mapping.hi).toBe(1);
  });
  it("stands when nothing was recorded", () => {
    expect(networkScale(tokens, statisticOf("rms"), "log", []).scale.mapping.hi).toBe(1);
  });
});

describe("reading", () => {
  it("says the value and where it was recorded", () => {
    const held = hold(cellsOf([[1, null, 2, null]]));
    expect(readCell(held, 0, 3, { first: 0, perColumn: 10, columns: 4 })).toEqual({ value: 2, mark: value, steps: { first: 20, last: 29 } });
    expect(readCell(held, 0, -1, { first: 0, perColumn: 10, columns: 4 }).mark).toBe(nothing);
  });
});

describe("rows", () => {
  it("are 66 to 4 pixels high, 20 on phones, with labels that never overlap", () => {
    expect(layoutRows(4, 900, false).height).toBe(66);
    expect(layoutRows(11, 660, false).height).toBe(60);
    expect(layoutRows(400, 600, false)).toEqual({ height: 4, gap: 0, labelEvery: 4 });
    expect(layoutRows(11, 660, true).height).toBe(20);
  });
});
