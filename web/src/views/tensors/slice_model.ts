// A slice of a tensor as Python writes it: which two axes are rows and columns, and where the others stand.
export type AxisPart = { kind: "index"; index: number } | { kind: "range"; from: number; to: number; every: number };

export interface TensorSlice {
  shape: readonly number[];
  axes: AxisPart[];
}

export type Role = "index" | "rows" | "columns";

const whole = (size: number): AxisPart => ({ kind: "range", from: 0, to: size, every: 1 });
const LARGEST_KERNEL = 11;

// Two axes to look at first: height and width of a batch of pictures, the larger axes of a kernel, the last two of anything else.
export function defaultSlice(shape: readonly number[]): TensorSlice {
  const rank = shape.length;
  let shown = [rank - 2, rank - 1];
  const [, a = 0, b = 0] = shape;
  const isKernel = Math.max(shape[0] ?? 0, a) <= LARGEST_KERNEL && (shape[2] ?? 0) > a;
  if (rank === 4 && !isKernel && a > 1 && b > 1) shown = [1, 2];
  return { shape, axes: shape.map((size, axis) => (shown.includes(axis) ? whole(size) : { kind: "index", index: 0 })) };
}

export class SliceError extends Error {}

function integer(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new SliceError(`"${text}" is not a whole number`);
  return Number(text);
}

function partOf(text: string, size: number, axis: number): AxisPart {
  if (!text.includes(":")) {
    const index = integer(text);
    if (index < -size || index >= size) throw new SliceError(`axis ${axis} has ${size} entries; ${index} is not one of them`);
    return { kind: "index", index: index < 0 ? index + size : index };
  }
  const [from = "", to = "", every = "", more] = text.split(":").map((bound) => bound.trim());
  if (more !== undefined) throw new SliceError(`"${text}" has more than two colons`);
  const stride = every === "" ? 1 : integer(every);
  if (stride < 1) throw new SliceError("a stride below 1 is not supported");
  const bound = (written: string, otherwise: number) => {
    if (written === "") return otherwise;
    const value = integer(written);
    return Math.max(0, Math.min(size, value < 0 ? value + size : value));
  };
  const start = bound(from, 0);
  return { kind: "range", from: start, to: Math.max(start, bound(to, size)), every: stride };
}

// "0,:,3:9,::2" by Python's rules; axes that are left out are whole. Throws SliceError with a sentence.
export function parseSlice(text: string, shape: readonly number[]): TensorSlice {
  let parts = text.replace(/^\s*\[|\]\s*$/g, "").split(",").map((part) => part.trim());
  if (parts.length === 1 && parts[0] === "") parts = [];
  const dots = parts.indexOf("...");
  const missing = shape.length - (parts.length - (dots >= 0 ? 1 : 0));
  if (missing < 0) throw new SliceError(`the tensor has ${shape.length} axes, the slice names ${parts.length}`);
  const fill = new Array<string>(missing).fill(":");
  parts = dots >= 0 ? [...parts.slice(0, dots), ...fill, ...parts.slice(dots + 1)] : [...parts, ...fill];
  const axes = parts.map((part, axis) => partOf(part, shape[axis] ?? 0, axis));
  if (axes.filter((part) => part.kind === "range").length > 2) throw new SliceError("only two axes can be ranges: rows and columns");
  return { shape, axes };
}

function partText(part: AxisPart, size: number, times = 1): string {
  if (part.kind === "index") return String(part.index);
  const every = part.every * times;
  const bounds = `${part.from === 0 ? "" : part.from}:${part.to === size ? "" : part.to}`;
  return every === 1 ? bounds : `${bounds}:${every}`;
}

export const sliceText = (slice: TensorSlice): string =>
  slice.axes.map((part, axis) => partText(part, slice.shape[axis] ?? 0)).join(",");

export const isWhole = (slice: TensorSlice): boolean =>
  slice.axes.every((part, axis) => part.kind === "range" && part.from === 0 && part.to === slice.shape[axis] && part.every === 1);

export function lengthOf(part: AxisPart): number {
  return part.kind === "index" ? 1 : Math.ceil((part.to - part.from) / part.every);
}

export const elementsOf = (slice: TensorSlice): number => slice.axes.reduce((product, part) => product * lengthOf(part), 1);

// Axes that are rows and columns; a single range is columns. `flip` swaps them.
export function shownAxes(slice: TensorSlice, flip: boolean): { rows: number | null; columns: number | null } {
  const ranges = slice.axes.flatMap((part, axis) => (part.kind === "range" ? [axis] : []));
  const [first = null, second = null] = ranges;
  if (second === null) return flip ? { rows: first, columns: null } : { rows: null, columns: first };
  return flip ? { rows: second, columns: first } : { rows: first, columns: second };
}

export function roleOf(slice: TensorSlice, flip: boolean, axis: number): Role {
  const { rows, columns } = shownAxes(slice, flip);
  return axis === rows ? "rows" : axis === columns ? "columns" : "index";
}

// The slice after an axis took a role; the axis that had it stands still, at the start of its range.
export function withRole(slice: TensorSlice, flip: boolean, axis: number, role: Role): { slice: TensorSlice; flip: boolean } {
  const shown = shownAxes(slice, flip);
  const still = (part: AxisPart | undefined): AxisPart =>
    part?.kind === "range" ? { kind: "index", index: Math.max(0, Math.min(part.from, part.to - 1)) } : (part ?? { kind: "index", index: 0 });
  const axes = [...slice.axes];
  let rows = shown.rows === axis ? null : shown.rows;
  let columns = shown.columns === axis ? null : shown.columns;
  if (role === "index") axes[axis] = still(axes[axis]);
  else {
    const had = role === "rows" ? rows : columns;
    const own = roleOf(slice, flip, axis);
    if (had !== null && own !== "index") {
      // Rows become columns and the other way round: nobody stands still.
      if (role === "rows") columns = had;
      else rows = had;
    } else if (had !== null) axes[had] = still(axes[had]);
    if (axes[axis]?.kind !== "range") axes[axis] = whole(slice.shape[axis] ?? 0);
    if (role === "rows") rows = axis;
    else columns = axis;
  }
  const flipped = rows !== null && (columns === null || rows > columns);
  return { slice: { shape: slice.shape, axes }, flip: flipped };
}

export function withPart(slice: TensorSlice, axis: number, part: AxisPart): TensorSlice {
  return { shape: slice.shape, axes: slice.axes.map((old, i) => (i === axis ? part : old)) };
}

// One side of the picture: entry i is index from + i * every of its axis.
export interface Side {
  axis: number | null;
  length: number;
  from: number;
  every: number;
  /** Every n-th entry of the slice is fetched. */
  thinned: number;
}

export interface SlicePlan {
  /** What to ask the server for. */
  slice: string;
  rows: Side;
  columns: Side;
  /** Values come columns first. */
  flip: boolean;
}

// What to fetch so that no side has more entries than the picture can show.
export function planSlice(slice: TensorSlice, flip: boolean, mostRows: number, mostColumns: number): SlicePlan {
  const { rows, columns } = shownAxes(slice, flip);
  const thinned = new Map<number, number>();
  const side = (axis: number | null, most: number): Side => {
    const part = axis === null ? undefined : slice.axes[axis];
    if (axis === null || part?.kind !== "range") return { axis: null, length: 1, from: 0, every: 1, thinned: 1 };
    const times = Math.max(1, Math.ceil(lengthOf(part) / Math.max(1, most)));
    thinned.set(axis, times);
    return { axis, length: Math.ceil(lengthOf(part) / times), from: part.from, every: part.every * times, thinned: times };
  };
  const rowSide = side(rows, mostRows);
  const columnSide = side(columns, mostColumns);
  const text = slice.axes.map((part, axis) => partText(part, slice.shape[axis] ?? 0, thinned.get(axis) ?? 1)).join(",");
  return { slice: text, rows: rowSide, columns: columnSide, flip: rows !== null && (columns === null || rows > columns) };
}

const ordinal = (n: number): string => {
  const tail = n % 100 >= 11 && n % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${tail}`;
};

// "every 4th row and column shown", or nothing.
export function thinningWords(plan: SlicePlan): string {
  const { rows, columns } = plan;
  if (rows.thinned === 1 && columns.thinned === 1) return "";
  if (rows.thinned === columns.thinned) return `every ${ordinal(rows.thinned)} row and column shown`;
  if (columns.thinned === 1) return `every ${ordinal(rows.thinned)} row shown`;
  if (rows.thinned === 1) return `every ${ordinal(columns.thinned)} column shown`;
  return `every ${ordinal(rows.thinned)} row and every ${ordinal(columns.thinned)} column shown`;
}

// The index of a cell in the whole tensor: [0, 12, 3, 7].
export function indexOf(slice: TensorSlice, plan: SlicePlan, row: number, column: number): number[] {
  return slice.axes.map((part, axis) => {
    if (axis === plan.rows.axis) return plan.rows.from + row * plan.rows.every;
    if (axis === plan.columns.axis) return plan.columns.from + column * plan.columns.every;
    return part.kind === "index" ? part.index : part.from;
  });
}

// The line of Python that gives the same numbers.
export function pythonLine(logDirectory: string, run: string, tag: string, step: number, slice: TensorSlice, flip: boolean): string {
  const line = `tap.open(${JSON.stringify(logDirectory)})[${JSON.stringify(run)}].tensor(${JSON.stringify(tag)}, step=${step})`;
  const part = isWhole(slice) || slice.shape.length === 0 ? "" : `[${sliceText(slice).replaceAll(",", ", ")}]`;
  const ranges = slice.axes.filter((axis) => axis.kind === "range").length;
  return `${line}${part}${flip && ranges === 2 ? ".T" : ""}`;
}
