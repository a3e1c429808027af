// From numbers to colours: the value axis of heat maps (linear, log, symlog), colour tables, and the marks for NaN, Inf and exact zero.

/** What a heat picture needs of the theme; the theme's tokens have all of it. */
export interface HeatTokens {
  readonly seq: readonly string[];
  readonly div: readonly string[];
  readonly heatZero: string;
  readonly heatNanA: string;
  readonly heatNanB: string;
  readonly heatInf: string;
}

export type Rgb = readonly [number, number, number];
export type ScaleKind = "linear" | "log" | "symlog";
/** Why a value has no place on the scale. "zero" only on log scales, "below" only for negative values on log scales. */
export type Special = "nan" | "inf" | "zero" | "below";

/** A value axis: where a number lies between the ends, 0 to 1. */
export interface Mapping {
  readonly kind: ScaleKind;
  readonly lo: number;
  readonly hi: number;
  /** Place of a finite value, not clamped; NaN when the axis has no place for it. */
  place(value: number): number;
  /** The value at a place. */
  value(place: number): number;
  /** Round values to label, low to high, at most `most`. */
  ticks(most: number): number[];
}

// Odd, so that the middle of a signed scale is a stop of its own.
const tableSize = 257;

export function parseColor(text: string): Rgb {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (hex !== undefined) {
    const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
    const whole = Number.parseInt(long, 16);
    return [(whole >> 16) & 255, (whole >> 8) & 255, whole & 255];
  }
  const [r, g, b] = (/^rgba?\(([^)]*)\)$/i.exec(text.trim())?.[1] ?? "").split(/[\s,/]+/).map(Number);
  if (r === undefined || g === undefined || b === undefined || Number.isNaN(r + g + b)) return [128, 128, 128];
  return [r, g, b];
}

/** A colour between two, 0 to 1; for inks that fade into a surface. */
export function mix(from: string, to: string, share: number): string {
  const a = parseColor(from);
  const b = parseColor(to);
  const at = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * share);
  return `rgb(${at(0)}, ${at(1)}, ${at(2)})`;
}

/** One number per pixel as ImageData's bytes hold it (little-endian: alpha, blue, green, red). */
export function pack([r, g, b]: Rgb, alpha = 255): number {
  return ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

export function packColor(text: string): number {
  return pack(parseColor(text));
}

const tables = new Map<string, Uint32Array>();

/** Packed colours through the stops. */
export function colorTable(stops: readonly string[]): Uint32Array {
  const key = stops.join();
  const known = tables.get(key);
  if (known) return known;
  const colors = stops.map(parseColor);
  const table = new Uint32Array(tableSize);
  for (let i = 0; i < tableSize; i++) {
    const where = (i / (tableSize - 1)) * (colors.length - 1);
    const left = colors[Math.floor(where)] ?? [128, 128, 128];
    const right = colors[Math.min(colors.length - 1, Math.floor(where) + 1)] ?? left;
    const share = where - Math.floor(where);
    const at = (c: 0 | 1 | 2) => Math.round(left[c] + (right[c] - left[c]) * share);
    table[i] = pack([at(0), at(1), at(2)]);
  }
  tables.set(key, table);
  return table;
}

export function cssOf(packed: number): string {
  return `rgb(${packed & 255}, ${(packed >>> 8) & 255}, ${(packed >>> 16) & 255})`;
}

function roundStep(span: number, most: number): number {
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  return (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10) * power;
}

function linearTicks(lo: number, hi: number, most: number): number[] {
  if (!(hi > lo)) return [lo];
  const step = roundStep(hi - lo, most);
  const ticks: number[] = [];
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + step * 1e-9 && ticks.length <= most; i++) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}

// The top decade is always among them.
function decadeTicks(lo: number, hi: number, most: number): number[] {
  const first = Math.ceil(Math.log10(lo) - 1e-9);
  const last = Math.floor(Math.log10(hi) + 1e-9);
  if (last < first) return [lo, hi];
  let every = 1;
  while (Math.floor((last - first) / every) + 1 > most) every *= 2;
  const ticks: number[] = [];
  for (let decade = last; decade >= first; decade -= every) ticks.unshift(Number(`1e${decade}`));
  return ticks;
}

export function linear(lo: number, hi: number): Mapping {
  const span = hi - lo;
  return {
    kind: "linear",
    lo,
    hi,
    // Equal ends: everything lies at the low end, what is above at the high end.
    place: (value) => (span > 0 ? (value - lo) / span : value > hi ? 1 : 0),
    value: (place) => lo + place * span,
    ticks: (most) => linearTicks(lo, hi, most),
  };
}

/** Log axis; the ends have to be above 0. Zero and negative values have no place. */
export function log(lo: number, hi: number): Mapping {
  const from = Math.log10(lo);
  const span = Math.log10(hi) - from;
  return {
    kind: "log",
    lo,
    hi,
    place: (value) => (value > 0 ? (span > 0 ? (Math.log10(value) - from) / span : 0) : Number.NaN),
    value: (place) => 10 ** (from + place * span),
    ticks: (most) => decadeTicks(lo, hi, most),
  };
}

/** Linear within ±threshold, log outside: signed values of very different sizes on one axis. */
export function symlog(lo: number, hi: number, threshold: number): Mapping {
  const bend = (value: number) => Math.sign(value) * Math.log1p(Math.abs(value) / threshold);
  const from = bend(lo);
  const span = bend(hi) - from;
  return {
    kind: "symlog",
    lo,
    hi,
    place: (value) => (span > 0 ? (bend(value) - from) / span : 0),
    value: (place) => {
      const bent = from + place * span;
      return Math.sign(bent) * Math.expm1(Math.abs(bent)) * threshold;
    },
    ticks: (most) => {
      const side = (end: number) => (end > threshold ? decadeTicks(threshold, end, Math.max(1, most >> 1)) : []);
      const below = side(-lo).map((tick) => -tick).reverse();
      return [...below, ...(lo <= 0 && hi >= 0 ? [0] : []), ...side(hi)].filter((tick) => tick >= lo && tick <= hi);
    },
  };
}

export interface ScaleOptions {
  kind: ScaleKind;
  lo: number;
  hi: number;
  /** Half width of the linear middle of a symlog axis; a thousandth of the larger end when left out. */
  threshold?: number;
}

export function mapping({ kind, lo, hi, threshold }: ScaleOptions): Mapping {
  if (kind === "log" && lo > 0) return log(lo, Math.max(lo, hi));
  if (kind === "symlog") return symlog(lo, hi, threshold ?? (Math.max(Math.abs(lo), Math.abs(hi)) / 1000 || 1));
  return linear(lo, hi);
}

/** Colours for values: what a cell of a heat map gets. */
export interface HeatScale {
  readonly mapping: Mapping;
  readonly table: Uint32Array;
  readonly signed: boolean;
  /** Why a value is not drawn from the table; null when it is. */
  special(value: number): Special | null;
  /** Packed colour of a value (see pack). NaN gets the hatch's light colour: draw the hatch over it. */
  packed(value: number): number;
  css(value: number): string;
}

function scaleFrom(tokens: HeatTokens, stops: readonly string[], axis: Mapping, signed: boolean): HeatScale {
  const table = colorTable(stops);
  const marks: Record<Special, number> = {
    nan: packColor(tokens.heatNanA),
    inf: packColor(tokens.heatInf),
    zero: packColor(tokens.heatZero),
    below: packColor(tokens.heatZero),
  };
  const special = (value: number): Special | null => {
    if (Number.isNaN(value)) return "nan";
    if (!Number.isFinite(value)) return "inf";
    if (axis.kind !== "log" || value > 0) return null;
    return value === 0 ? "zero" : "below";
  };
  const packed = (value: number) => {
    const why = special(value);
    if (why) return marks[why];
    const place = axis.place(value);
    return table[place <= 0 ? 0 : place >= 1 ? tableSize - 1 : Math.round(place * (tableSize - 1))] ?? 0;
  };
  return { mapping: axis, table, signed, special, packed, css: (value) => cssOf(packed(value)) };
}

/** Magnitudes: viridis from lo to hi. */
export function seqScale(tokens: HeatTokens, options: ScaleOptions): HeatScale {
  return scaleFrom(tokens, tokens.seq, mapping(options), false);
}

/** Signed values: blue, surface, red, always centred on 0. */
export function divScale(tokens: HeatTokens, bound: number, kind: "linear" | "symlog" = "linear", threshold?: number): HeatScale {
  const size = bound > 0 && Number.isFinite(bound) ? bound : 1;
  return scaleFrom(tokens, tokens.div, mapping({ kind, lo: -size, hi: size, ...(threshold === undefined ? {} : { threshold }) }), true);
}

/** Smallest and largest finite value; null when there is none. On log axes only values above 0 count. */
export function extent(values: Iterable<number>, kind: ScaleKind = "linear"): { lo: number; hi: number } | null {
  let lo = Infinity;
  let hi = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value) || (kind === "log" && value <= 0)) continue;
    if (value < lo) lo = value;
    if (value > hi) hi = value;
  }
  return lo <= hi ? { lo, hi } : null;
}

/** Ends of a log scale: whole decades around the values, no more than `most` of them, the top ones kept. */
export function decades(lo: number, hi: number, most = 8): { lo: number; hi: number } {
  const top = Math.ceil(Math.log10(hi) - 1e-9);
  const bottom = Math.max(Math.floor(Math.log10(lo) + 1e-9), top - most);
  return { lo: Number(`1e${Math.min(bottom, top - 1)}`), hi: Number(`1e${top}`) };
}

const hatchSize = 6;

/** Whether a device pixel belongs to the dark stripes of the NaN hatch. */
export function isHatched(x: number, y: number, ratio = 1): boolean {
  const size = hatchSize * Math.max(1, Math.round(ratio));
  return (((x + y) % size) + size) % size < size / 3;
}

const hatchTiles = new Map<string, HTMLCanvasElement>();

/** The NaN hatch as a fill, in device pixels; set the pattern's transform yourself when the context is scaled. */
export function hatch(context: CanvasRenderingContext2D, tokens: HeatTokens, ratio = 1): CanvasPattern | string {
  const size = hatchSize * Math.max(1, Math.round(ratio));
  const key = `${tokens.heatNanA} ${tokens.heatNanB} ${size}`;
  let tile = hatchTiles.get(key);
  if (!tile) {
    tile = document.createElement("canvas");
    tile.width = tile.height = size;
    const inner = tile.getContext("2d");
    if (!inner) return tokens.heatNanB;
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        inner.fillStyle = isHatched(x, y, ratio) ? tokens.heatNanB : tokens.heatNanA;
        inner.fillRect(x, y, 1, 1);
      }
    }
    hatchTiles.set(key, tile);
  }
  const pattern = context.createPattern(tile, "repeat");
  // One pixel of the tile is one pixel of the screen.
  pattern?.setTransform(new DOMMatrix().scale(1 / ratio));
  return pattern ?? tokens.heatNanB;
}
