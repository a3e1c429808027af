// How all curve cards of a page are drawn.
import type { Range } from "$charts/curve";
import type { XKind } from "$charts/x_axis";

export type ColorBy = "run" | "group" | "band";

export interface CurveSettings {
  readonly xKind: XKind;
  readonly logX: boolean;
  readonly logY: boolean;
  readonly clip: boolean;
  // Weight of the exponential mean; 0 is off.
  readonly smoothing: number;
  readonly colorBy: ColorBy;
  readonly zoom: Range | null;
}

export const PLAIN_SETTINGS: CurveSettings = { xKind: "step", logX: false, logY: false, clip: true, smoothing: 0, colorBy: "run", zoom: null };

const POINTS_PER_CARD = 24_000;
const LEAST_POINTS = 64;
const WIDTH_GRAIN = 64;
const POINTS_PER_COLUMN = 4;

// The server gives up to four points (first, last, min, max) for each pixel column; fewer columns where there are many runs.
export function pointsToAsk(plotWidth: number, series: number): number {
  const wide = Math.ceil(Math.max(plotWidth, 1) / WIDTH_GRAIN) * WIDTH_GRAIN * POINTS_PER_COLUMN;
  return Math.min(wide, Math.max(LEAST_POINTS, Math.floor(POINTS_PER_CARD / Math.max(1, series))));
}

// "120..480" in the address.
export function readZoom(text: string): Range | null {
  const [first, last] = text.split("..").map(Number);
  return first !== undefined && last !== undefined && Number.isFinite(first) && Number.isFinite(last) && last > first ? { first, last } : null;
}

export function writeZoom(range: Range): string {
  const short = (value: number): string => String(Number(value.toPrecision(12)));
  return `${short(range.first)}..${short(range.last)}`;
}
