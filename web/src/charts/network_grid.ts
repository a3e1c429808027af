// The numbers behind the Network picture: rows of layers, columns of steps; what is held, grouped, scaled and read back.
import { decades, divScale, seqScale, type HeatScale, type HeatTokens } from "./scales";

/** Marks of cells as the server sends them. */
export const nothing = 0;
export const value = 1;
export const nanSeen = 2;
export const infSeen = 3;

export type StatisticForm = "magnitude" | "signed" | "share";

export interface Statistic {
  readonly id: string;
  readonly title: string;
  readonly form: StatisticForm;
}

export const statistics: readonly Statistic[] = [
  { id: "rms", title: "RMS", form: "magnitude" },
  { id: "std", title: "std", form: "magnitude" },
  { id: "mean", title: "mean", form: "signed" },
  { id: "abs_max", title: "abs max", form: "magnitude" },
  { id: "min", title: "min", form: "signed" },
  { id: "max", title: "max", form: "signed" },
  { id: "l2", title: "L2 norm", form: "magnitude" },
  { id: "zeros", title: "zeros share", form: "share" },
  { id: "nan", title: "NaN share", form: "share" },
];

export function statisticOf(id: string): Statistic {
  return statistics.find((one) => one.id === id) ?? { id: "rms", title: "RMS", form: "magnitude" };
}

/** Cells of one run, row by row: layers x columns. */
export interface Cells {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
  readonly marks: Uint8Array;
}

/** Cells whose sparse rows are held, and where each cell's value was recorded (column number, -1 for none). */
export interface HeldCells extends Cells {
  readonly origins: Int32Array;
}

// How far a value is held, in usual distances between two captures of its row; beyond it is a gap.
const heldDistances = 1.5;

/** Fills the columns between two captures with the earlier one, as long as captures come as usual; gaps stay empty. */
export function hold(cells: Cells): HeldCells {
  const { rows, columns } = cells;
  const values = Float32Array.from(cells.values);
  const marks = Uint8Array.from(cells.marks);
  const origins = new Int32Array(rows * columns).fill(-1);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    const recorded: number[] = [];
    for (let c = 0; c < columns; c++) if (marks[start + c] !== nothing) recorded.push(c);
    const distances = recorded.slice(1).map((c, i) => c - (recorded[i] ?? c));
    distances.sort((a, b) => a - b);
    const usual = distances[distances.length >> 1] ?? 1;
    recorded.forEach((from, i) => {
      const next = recorded[i + 1] ?? columns;
      const far = next - from <= usual * heldDistances ? next : Math.min(next, from + usual);
      for (let c = from; c < far; c++) {
        values[start + c] = values[start + from] ?? Number.NaN;
        marks[start + c] = marks[start + from] ?? nothing;
        origins[start + c] = from;
      }
    });
  }
  return { rows, columns, values, marks, origins };
}

/** Which steps the columns stand for: column i begins at first + i * perColumn. */
export interface StepColumns {
  readonly first: number;
  readonly perColumn: number;
  readonly columns: number;
}

/** Where the last column ends, as a place on the axis of steps. */
export function endOf({ first, perColumn, columns }: StepColumns): number {
  return first + columns * perColumn;
}

/** Steps that a column stands for, both ends included. */
export function stepsOfColumn(column: number, { first, perColumn }: StepColumns): { first: number; last: number } {
  const from = Math.ceil(first + column * perColumn - 1e-9) || 0; // never -0
  return { first: from, last: Math.max(from, Math.ceil(first + (column + 1) * perColumn - 1e-9) - 1) };
}

export function columnOfStep(step: number, { first, perColumn, columns }: StepColumns): number {
  const column = Math.floor((step - first) / perColumn + 1e-9);
  return column >= 0 && column < columns ? column : -1;
}

/** Rows of the picture: one layer each, or blocks of neighbouring layers with a common beginning of their names. */
export interface Row {
  readonly name: string;
  readonly layers: readonly number[];
}

const pieces = (path: string): string[] => path.split(/(?<=[/_.])/);

export function groupRows(paths: readonly string[], most = 150): Row[] {
  if (paths.length <= most) return paths.map((name, layer) => ({ name, layers: [layer] }));
  const split = paths.map(pieces);
  const deepest = Math.max(...split.map((parts) => parts.length));
  for (let depth = deepest; depth >= 1; depth--) {
    const rows: { name: string; layers: number[] }[] = [];
    split.forEach((parts, layer) => {
      const name = parts.slice(0, depth).join("").replace(/[/_.]$/, "");
      const before = rows.at(-1);
      if (before?.name === name) before.layers.push(layer);
      else rows.push({ name, layers: [layer] });
    });
    if (rows.length <= most) return rows;
  }
  const size = Math.ceil(paths.length / most);
  return Array.from({ length: Math.ceil(paths.length / size) }, (_, i) => {
    const layers = paths.map((_, layer) => layer).slice(i * size, (i + 1) * size);
    return { name: `${paths[layers[0] ?? 0] ?? ""} …`, layers };
  });
}

/** Cells of rows from cells of layers: the greatest magnitude counts, NaN wins over Inf, Inf over numbers. */
export function gather(cells: HeldCells, rows: readonly Row[]): HeldCells {
  const { columns } = cells;
  const size = rows.length * columns;
  const out: HeldCells = { rows: rows.length, columns, values: new Float32Array(size), marks: new Uint8Array(size), origins: new Int32Array(size).fill(-1) };
  const rank = [0, 1, 3, 2];
  rows.forEach((row, r) => {
    for (const layer of row.layers) {
      for (let c = 0; c < columns; c++) {
        const from = layer * columns + c;
        const to = r * columns + c;
        const mark = cells.marks[from] ?? nothing;
        const there = out.marks[to] ?? nothing;
        const better = (rank[mark] ?? 0) - (rank[there] ?? 0);
        if (better < 0 || mark === nothing) continue;
        if (better === 0 && !(Math.abs(cells.values[from] ?? 0) > Math.abs(out.values[to] ?? 0))) continue;
        out.marks[to] = mark;
        out.values[to] = cells.values[from] ?? Number.NaN;
        out.origins[to] = cells.origins[from] ?? -1;
      }
    }
  });
  return out;
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))] ?? Number.NaN;
}

/** The next number with two digits: ends of scales are read more than computed with. */
function roundUp(n: number): number {
  const unit = 10 ** (Math.floor(Math.log10(n)) - 1);
  return Number((Math.ceil(n / unit - 1e-9) * unit).toPrecision(2));
}

export interface NetworkScale {
  readonly scale: HeatScale;
  /** Whether values lie outside of the ends. */
  readonly below: boolean;
  readonly above: boolean;
}

const mostDecades = 8;
const fenceReach = 1.5;
const leastSpread = 0.5; // decades

// Quantiles are taken from so many cells; the smallest and the largest from all.
const mostSampled = 8192;

function magnitudesOf(runs: readonly Cells[]): { sorted: Float64Array; smallest: number; largest: number } {
  const all = runs.reduce((sum, cells) => sum + cells.values.length, 0);
  const stride = Math.max(1, Math.floor(all / mostSampled));
  const sample: number[] = [];
  let smallest = Infinity;
  let largest = 0;
  let seen = 0;
  for (const { values, marks } of runs) {
    for (let i = 0; i < values.length; i++) {
      const size = Math.abs(values[i] ?? Number.NaN);
      if (marks[i] !== value || !(size > 0) || size === Infinity) continue;
      if (size < smallest) smallest = size;
      if (size > largest) largest = size;
      if (seen++ % stride === 0) sample.push(size);
    }
  }
  return { sorted: Float64Array.from(sample).sort(), smallest, largest };
}

/** The colour scale for the cells of these runs: whole decades or round ends around all but the wildest hundredth. */
export function networkScale(tokens: HeatTokens, statistic: Statistic, kind: "log" | "linear", runs: readonly Cells[]): NetworkScale {
  if (statistic.form === "share") return { scale: seqScale(tokens, { kind: "linear", lo: 0, hi: 1 }), below: false, above: false };
  const { sorted, smallest, largest } = magnitudesOf(runs);
  if (sorted.length === 0) {
    const scale = statistic.form === "signed" ? divScale(tokens, 1) : seqScale(tokens, { kind, lo: kind === "log" ? 0.1 : 0, hi: 1 });
    return { scale, below: false, above: false };
  }
  // One exploding run does not turn all others dark: what lies far from the middle half is cut, and the ends say so.
  const lower = Math.log10(quantile(sorted, 0.25));
  const upper = Math.log10(quantile(sorted, 0.75));
  const reach = fenceReach * Math.max(upper - lower, leastSpread);
  const low = Math.max(quantile(sorted, 0.01), 10 ** (lower - reach));
  const high = Math.min(quantile(sorted, 0.99), 10 ** (upper + reach));
  const ends = decades(Math.max(low, high / 10 ** mostDecades), high, mostDecades);
  if (statistic.form === "signed") {
    const bound = kind === "log" ? ends.hi : roundUp(Math.min(largest, high * 1.25));
    const scale = kind === "log" ? divScale(tokens, bound, "symlog", ends.lo) : divScale(tokens, bound);
    return { scale, below: largest > bound, above: largest > bound };
  }
  if (kind === "log") return { scale: seqScale(tokens, { kind, ...ends }), below: smallest < ends.lo, above: largest > ends.hi };
  const hi = roundUp(Math.min(largest, high * 1.25));
  return { scale: seqScale(tokens, { kind, lo: 0, hi }), below: false, above: largest > hi };
}

/** What stands in a cell. */
export interface CellReading {
  readonly value: number;
  readonly mark: number;
  /** Steps of the column where the value was recorded. */
  readonly steps: { first: number; last: number } | null;
}

export function readCell(cells: HeldCells, row: number, column: number, steps: StepColumns): CellReading {
  const i = row * cells.columns + column;
  const origin = column >= 0 && column < cells.columns ? (cells.origins[i] ?? -1) : -1;
  if (origin < 0) return { value: Number.NaN, mark: nothing, steps: null };
  return { value: cells.values[i] ?? Number.NaN, mark: cells.marks[i] ?? nothing, steps: stepsOfColumn(origin, steps) };
}

export interface RowLayout {
  readonly height: number;
  readonly gap: number;
  /** A label at each n-th row. */
  readonly labelEvery: number;
}

const tallest = 66;
const lowest = 4;
const phoneRow = 20;
const labelRoom = 14;

/** Row height for the room there is. */
export function layoutRows(rows: number, room: number, phone: boolean): RowLayout {
  const height = phone ? (rows > 60 ? 8 : phoneRow) : Math.max(lowest, Math.min(tallest, Math.floor(room / Math.max(1, rows))));
  const gap = height > 30 ? 4 : height > 10 ? 2 : height > 5 ? 1 : 0;
  return { height, gap, labelEvery: Math.max(1, Math.ceil(labelRoom / height)) };
}
