// The mean and the min/max band of a group of curves.
export interface Band {
  readonly x: Float64Array;
  readonly mean: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  // How many curves have a value there.
  readonly curves: Uint32Array;
}

interface Line {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

const MOST_COLUMNS = 200;

// Curves with the same x keep it; others meet on an even grid. Where a curve has a point on either side but none at
// the grid's place, it counts with the straight line between them; beyond its ends and across NaN it does not count.
export function bandOf(curves: readonly Line[]): Band {
  const grid = gridOf(curves);
  const size = grid.x.length;
  const mean = new Float64Array(size);
  const min = new Float64Array(size).fill(Infinity);
  const max = new Float64Array(size).fill(-Infinity);
  const counted = new Uint32Array(size);
  for (const curve of curves) addCurve(curve, grid, { x: grid.x, mean, min, max, curves: counted });
  for (let i = 0; i < size; i += 1) {
    const n = counted[i] ?? 0;
    if (n > 0) mean[i] = (mean[i] ?? 0) / n;
    else mean[i] = min[i] = max[i] = NaN;
  }
  return { x: grid.x, mean, min, max, curves: counted };
}

interface Grid {
  readonly x: Float64Array;
  readonly halfWidth: number;
}

function gridOf(curves: readonly Line[]): Grid {
  const drawn = curves.filter((curve) => curve.x.length > 0);
  const first = drawn[0];
  if (first === undefined) return { x: new Float64Array(0), halfWidth: 0 };
  if (first.x.length <= 2 * MOST_COLUMNS && drawn.every((curve) => sameNumbers(curve.x, first.x)) && isAscending(first.x)) {
    return { x: Float64Array.from(first.x), halfWidth: 0 };
  }
  let low = Infinity;
  let high = -Infinity;
  let longest = 1;
  for (const { x } of drawn) {
    low = Math.min(low, x[0] ?? Infinity);
    high = Math.max(high, x[x.length - 1] ?? -Infinity);
    longest = Math.max(longest, x.length);
  }
  const size = high > low ? Math.min(MOST_COLUMNS, Math.max(2, longest)) : 1;
  const spacing = size > 1 ? (high - low) / (size - 1) : 0;
  return { x: Float64Array.from({ length: size }, (_, i) => low + i * spacing), halfWidth: spacing / 2 };
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

function isAscending(x: ArrayLike<number>): boolean {
  for (let i = 1; i < x.length; i += 1) if (!((x[i] ?? 0) > (x[i - 1] ?? 0))) return false;
  return true;
}

// Walks along the curve once: of 1 000 runs each has but a few points per column.
function addCurve({ x, y }: Line, grid: Grid, out: Band): void {
  let next = 0;
  for (let column = 0; column < grid.x.length; column += 1) {
    const centre = grid.x[column] ?? 0;
    const from = centre - grid.halfWidth;
    const to = centre + grid.halfWidth;
    while (next < x.length && (x[next] ?? Infinity) < from) next += 1;
    let sum = 0;
    let n = 0;
    let min = Infinity;
    let max = -Infinity;
    for (let i = next; i < x.length && (x[i] ?? Infinity) <= to; i += 1) {
      const value = y[i] ?? NaN;
      if (!Number.isFinite(value)) continue;
      sum += value;
      n += 1;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    if (n === 0) {
      const value = between(x, y, next, centre);
      if (!Number.isFinite(value)) continue;
      sum = min = max = value;
      n = 1;
    }
    out.mean[column] = (out.mean[column] ?? 0) + sum / n;
    if (min < (out.min[column] ?? Infinity)) out.min[column] = min;
    if (max > (out.max[column] ?? -Infinity)) out.max[column] = max;
    out.curves[column] = (out.curves[column] ?? 0) + 1;
  }
}

// On the straight line between the points around `at`; NaN beyond the ends. `hint`: no earlier point lies behind `at`.
function between(x: ArrayLike<number>, y: ArrayLike<number>, hint: number, at: number): number {
  let after = hint;
  while (after < x.length && (x[after] ?? Infinity) < at) after += 1;
  if (after === 0 || after >= x.length) return NaN;
  const x0 = x[after - 1] ?? 0;
  const x1 = x[after] ?? 0;
  const y0 = y[after - 1] ?? NaN;
  const y1 = y[after] ?? NaN;
  return x1 > x0 ? y0 + ((y1 - y0) * (at - x0)) / (x1 - x0) : y1;
}
