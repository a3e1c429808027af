// Parallel coordinates: one axis for each hyperparameter and metric, one line for each run.

export type ParallelValue = number | string | boolean | null | undefined;

export interface ParallelAxis {
  readonly name: string;
  readonly form: "linear" | "log" | "words";
  readonly min: number;
  readonly max: number;
  // Of a words axis, bottom to top.
  readonly words: readonly string[];
  readonly isMetric: boolean;
}

const LOG_SPAN = 30;
const collator = new Intl.Collator("en", { numeric: true });

const isNumber = (value: ParallelValue): value is number => typeof value === "number";
const isRecorded = (value: ParallelValue): value is number | string | boolean => value !== null && value !== undefined;

// Numbers that span decades stand on a log axis; words, and few mixed values, each on a place of their own.
export function axisOf(name: string, values: readonly ParallelValue[], isMetric: boolean): ParallelAxis {
  const recorded = values.filter(isRecorded);
  const numbers = recorded.filter(isNumber).filter(Number.isFinite);
  if (recorded.every(isNumber) && numbers.length > 0) {
    const min = Math.min(...numbers);
    const max = Math.max(...numbers);
    const form = !isMetric && min > 0 && max >= LOG_SPAN * min ? "log" : "linear";
    return { name, form, min, max, words: [], isMetric };
  }
  const words = [...new Set(recorded.map(String))].sort((a, b) => collator.compare(a, b));
  return { name, form: "words", min: 0, max: Math.max(0, words.length - 1), words, isMetric };
}

// 0 at the bottom, 1 at the top; NaN for what has no place: not recorded, NaN, Inf.
export function placeOn(axis: ParallelAxis, value: ParallelValue): number {
  if (!isRecorded(value)) return NaN;
  if (axis.form === "words") {
    const index = axis.words.indexOf(String(value));
    return index < 0 ? NaN : axis.max === 0 ? 0.5 : index / axis.max;
  }
  if (!isNumber(value) || !Number.isFinite(value)) return NaN;
  if (axis.max === axis.min) return 0.5;
  if (axis.form === "log") return (Math.log(value) - Math.log(axis.min)) / (Math.log(axis.max) - Math.log(axis.min));
  return (value - axis.min) / (axis.max - axis.min);
}

// Values to label, with their places.
export function labelsOf(axis: ParallelAxis, most: number, write: (value: number) => string): { at: number; text: string }[] {
  if (axis.form === "words") {
    const every = Math.max(1, Math.ceil(axis.words.length / most));
    return axis.words.filter((_, i) => i % every === 0).map((word) => ({ at: placeOn(axis, word), text: word }));
  }
  if (axis.max === axis.min) return [{ at: 0.5, text: write(axis.min) }];
  const values =
    axis.form === "log"
      ? [axis.min, Math.sqrt(axis.min * axis.max), axis.max]
      : [axis.min, (axis.min + axis.max) / 2, axis.max];
  return values.map((value) => ({ at: placeOn(axis, value), text: write(value) }));
}

export interface ParallelLine {
  readonly run: string;
  // 0..1 per axis, NaN where the run has nothing there: the line stops.
  readonly places: readonly number[];
  // What it is coloured by; NaN: grey.
  readonly shade: number;
}

// Distance in pixels from a point to a line through the axes; Infinity where it has none nearby.
export function distanceTo(line: ParallelLine, x: number, y: number, xOf: (axis: number) => number, yOf: (place: number) => number): number {
  let best = Infinity;
  for (let i = 0; i < line.places.length; i += 1) {
    const y0 = yOf(line.places[i] ?? NaN);
    const x0 = xOf(i);
    if (Number.isFinite(y0)) best = Math.min(best, Math.hypot(x - x0, y - y0));
    const y1 = yOf(line.places[i + 1] ?? NaN);
    const x1 = xOf(i + 1);
    if (i + 1 >= line.places.length || !Number.isFinite(y0) || !Number.isFinite(y1) || x < x0 || x > x1) continue;
    const dx = x1 - x0;
    const dy = y1 - y0;
    best = Math.min(best, Math.abs(dy * (x - x0) - dx * (y - y0)) / Math.hypot(dx, dy));
  }
  return best;
}
