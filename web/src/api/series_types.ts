// Series and grids as the page uses them: decoded from columns, with camelCase names.

export type NumberArray = Float64Array | Float32Array | Uint8Array | Int32Array | Uint32Array;

export interface ScalarSeries {
  run: string;
  tag: string;
  step: NumberArray;
  value: NumberArray;
  wallTime?: NumberArray;
  // Steps and values of the points that are NaN or infinite.
  badStep: NumberArray;
  badValue: NumberArray;
  totalPoints: number;
  totalNonFinite: number;
  replacedPoints: number;
}

export interface StatsSeries {
  run: string;
  tag: string;
  total: number;
  step: NumberArray;
  wallTime: NumberArray;
  phase?: NumberArray;
  count: NumberArray;
  zeros: NumberArray;
  nan: NumberArray;
  positiveInf: NumberArray;
  negativeInf: NumberArray;
  min: NumberArray;
  max: NumberArray;
  mean: NumberArray;
  std: NumberArray;
  l1: NumberArray;
  l2: NumberArray;
  rms: NumberArray;
  p1?: NumberArray;
  p5?: NumberArray;
  p25?: NumberArray;
  p50?: NumberArray;
  p75?: NumberArray;
  p95?: NumberArray;
  p99?: NumberArray;
}

export interface HistogramSeries {
  run: string;
  tag: string;
  totalSteps: number;
  step: NumberArray;
  wallTime: NumberArray;
  zeros: NumberArray;
  nan: NumberArray;
  positiveInf: NumberArray;
  negativeInf: NumberArray;
  total: NumberArray;
  min: NumberArray;
  max: NumberArray;
  p5: NumberArray;
  p25: NumberArray;
  p50: NumberArray;
  p75: NumberArray;
  p95: NumberArray;
  // Buckets of step i: offset[i] up to offset[i + 1] of left, right and count.
  offset: NumberArray;
  left: NumberArray;
  right: NumberArray;
  count: NumberArray;
}

export type NetworkPart = "activations" | "gradients" | "weights" | "updates";
export type NetworkStat = "rms" | "std" | "mean" | "abs_max" | "min" | "max" | "l2" | "zeros" | "nan";

export interface NetworkRun {
  run: string;
  // layers x columns, row after row.
  value: NumberArray;
  // 0 nothing recorded, 1 a value, 2 NaN seen, 3 Inf seen.
  mark: NumberArray;
  tags: (string | null)[];
  lastStep: number;
}

export interface NetworkGrid {
  of: NetworkPart;
  stat: NetworkStat;
  firstStep: number;
  lastStep: number;
  columns: number;
  // Column i holds the steps from firstStep + i * columnSteps up to the next column.
  columnSteps: number;
  layers: { path: string; shape: (number | null)[] | null }[];
  runs: NetworkRun[];
}
