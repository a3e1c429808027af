// The x axis of curves: what it counts, and where its labels stand.
import type { Range } from "./curve";
import { count, number, seconds, tick } from "./numbers";

export type XKind = "step" | "epoch" | "relative" | "wall";

export const X_KINDS: readonly { value: XKind; label: string }[] = [
  { value: "step", label: "Step" },
  { value: "epoch", label: "Epoch" },
  { value: "relative", label: "Relative" },
  { value: "wall", label: "Wall time" },
];

// The word at the right end of the axis.
export const X_WORD: Record<XKind, string> = { step: "step", epoch: "epoch", relative: "time", wall: "time" };

export interface XTicks {
  readonly values: readonly number[];
  readonly format: (value: number) => string;
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86400;
const TIME_INTERVALS = [1, 2, 5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR, DAY];
const PIXELS_PER_LABEL = 64;
const LABELS_AT_MOST = 6;
// Steps are counts and written in full as long as there is room for them.
const LONGEST_COUNT = 1e7;

export function xTicks(range: Range, pixels: number, kind: XKind, log: boolean): XTicks {
  const span = range.last - range.first;
  if (log && range.first > 0 && span > 0) return { values: decadesIn(range), format: tick };
  const most = Math.max(1, Math.min(LABELS_AT_MOST, Math.floor(pixels / PIXELS_PER_LABEL)));
  if (!(span > 0)) return { values: [range.first], format: formatOf(kind, 0) };
  const interval = kind === "relative" || kind === "wall" ? timeInterval(span / most) : niceInterval(span / most, kind === "step");
  const offset = kind === "wall" ? -new Date(range.first * 1000).getTimezoneOffset() * MINUTE : 0;
  const values: number[] = [];
  // The last stretch belongs to the word at the end of the axis.
  const end = range.last - (span * 44) / Math.max(88, pixels);
  for (let i = Math.ceil((range.first + offset) / interval); i * interval - offset <= end && values.length < 20; i += 1) {
    values.push(Number((i * interval - offset).toPrecision(15)));
  }
  return { values, format: formatOf(kind, interval) };
}

function niceInterval(rough: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const interval = ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  return whole ? Math.max(1, interval) : interval;
}

function timeInterval(rough: number): number {
  if (rough < 1) return niceInterval(rough, false);
  const days = (interval: number): number => niceInterval(interval / DAY, true) * DAY;
  return TIME_INTERVALS.find((interval) => interval >= rough * 0.999) ?? days(rough);
}

function decadesIn({ first, last }: Range): number[] {
  const from = Math.ceil(Math.log10(first) - 1e-9);
  const to = Math.floor(Math.log10(last) + 1e-9);
  const every = Math.max(1, Math.ceil((to - from) / LABELS_AT_MOST));
  const values: number[] = [];
  for (let power = from; power <= to; power += every) values.push(10 ** power);
  return values;
}

const two = (value: number): string => String(value).padStart(2, "0");

function formatOf(kind: XKind, interval: number): (value: number) => string {
  if (kind === "step") return (value) => (value < LONGEST_COUNT ? count(value) : tick(value));
  if (kind === "epoch") return tick;
  if (kind === "relative") return (value) => durationTick(value, interval);
  return (value) => {
    const moment = new Date(value * 1000);
    if (interval >= DAY) return `${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
    const minutes = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
    return interval >= MINUTE ? minutes : `${minutes}:${two(moment.getSeconds())}`;
  };
}

function durationTick(value: number, interval: number): string {
  if (value === 0) return "0";
  if (interval >= DAY) return `${tick(value / DAY)} d`;
  if (interval >= HOUR) return `${tick(value / HOUR)} h`;
  if (interval >= MINUTE && value < 2 * HOUR) return `${tick(value / MINUTE)} min`;
  if (interval >= MINUTE) return `${Math.floor(value / HOUR)}:${two(Math.round((value % HOUR) / MINUTE))} h`;
  return value >= 120 ? `${Math.floor(value / MINUTE)}:${two(Math.round(value % MINUTE))}` : `${tick(value)} s`;
}

// Where the cursor stands, in words: "Step 181", "Epoch 3.250", "12.4 s", "14:03:22".
export function cursorWord(x: number, kind: XKind): string {
  if (kind === "step") return `Step ${count(x)}`;
  if (kind === "epoch") return `Epoch ${number(x)}`;
  if (kind === "relative") return seconds(x);
  const moment = new Date(x * 1000);
  return `${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
}

// The same for the label below the cursor line, where there is little room.
export function cursorLabel(x: number, kind: XKind): string {
  if (kind === "step") return count(x);
  if (kind === "epoch") return number(x, 3);
  return kind === "relative" ? seconds(x) : cursorWord(x, kind).slice(6);
}
