// The rows of the tooltip: the value of each run at the cursor, the largest first.
import { pointAt, type Curve, type PointAt } from "./curve";
import type { Drawing } from "./curve_drawing";
import type { PlotArea } from "./plot_area";

export interface CursorCell {
  readonly y: number;
  readonly smoothed: number | null;
  readonly x: number;
}

export interface CursorRow {
  readonly run: string;
  readonly color: string;
  readonly cells: Readonly<Record<string, CursorCell>>;
  readonly nearest: boolean;
}

export interface CursorTable {
  readonly phases: readonly { phase: string; held: boolean }[];
  readonly rows: readonly CursorRow[];
  // The index of the curve under the pointer, -1 for none.
  readonly nearestCurve: number;
}

function lastPoint(curve: Curve): PointAt | null {
  const index = curve.x.length - 1;
  return index < 0 ? null : { index, x: curve.x[index] ?? NaN, y: curve.y[index] ?? NaN };
}

// At x; null: the last point of each curve.
export function cursorTable(drawing: Drawing, x: number | null, pixelY: number | null, area: PlotArea): CursorTable {
  const phases = new Map<string, boolean>();
  const rows = new Map<string, { run: string; color: string; cells: Record<string, CursorCell>; sort: number }>();
  let nearestCurve = -1;
  let nearestDistance = Infinity;
  drawing.curves.forEach((curve, i) => {
    phases.set(curve.phase, curve.role === "val");
    const row = rows.get(curve.run) ?? { run: curve.run, color: curve.color, cells: {}, sort: NaN };
    rows.set(curve.run, row);
    const point = x === null ? lastPoint(curve) : pointAt(curve, x);
    if (point === null) return;
    const smoothed = drawing.smoothed?.[i]?.[point.index] ?? null;
    row.cells[curve.phase] = { y: point.y, x: point.x, smoothed };
    const drawn = smoothed ?? point.y;
    if (Number.isNaN(row.sort) || curve.role === "val") row.sort = drawn;
    if (pixelY === null || !Number.isFinite(drawn) || (area.y.log && drawn <= 0)) return;
    const distance = Math.abs(area.pixelOfY(drawn) - pixelY);
    if (distance < nearestDistance) {
      nearestDistance = distance;
      nearestCurve = i;
    }
  });
  const nearestRun = drawing.curves[nearestCurve]?.run;
  // NaN below all numbers, runs without a value last.
  const order = (row: { cells: Record<string, CursorCell>; sort: number }): number =>
    Object.keys(row.cells).length === 0 ? -Infinity : Number.isNaN(row.sort) ? -Number.MAX_VALUE : row.sort;
  const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? 1 : -1);
  const sorted = [...rows.values()].sort((a, b) => compare(order(a), order(b)));
  return {
    phases: [...phases].map(([phase, held]) => ({ phase, held })),
    rows: sorted.map(({ run, color, cells }) => ({ run, color, cells, nearest: run === nearestRun })),
    nearestCurve,
  };
}

export interface RowWindow {
  readonly rows: readonly CursorRow[];
  readonly above: number;
  readonly below: number;
}

// The rows around the nearest one, where there are too many to read.
export function rowsAround(rows: readonly CursorRow[], most: number): RowWindow {
  if (rows.length <= most) return { rows, above: 0, below: 0 };
  const nearest = Math.max(0, rows.findIndex((row) => row.nearest));
  const first = Math.max(0, Math.min(rows.length - most, nearest - Math.floor(most / 2)));
  return { rows: rows.slice(first, first + most), above: first, below: rows.length - first - most };
}
