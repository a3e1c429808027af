// How numbers, counts, sizes and times are written on the page.
export const MINUS = "\u2212";
export const NARROW_SPACE = "\u202f";
export const NOT_RECORDED = "\u2013";

const SMALLEST_PLAIN = 1e-3;
const SMALLEST_LARGE = 1e5;

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, NARROW_SPACE);

function special(value: number | null | undefined): string | undefined {
  if (value === null || value === undefined) return NOT_RECORDED;
  if (Number.isNaN(value)) return "NaN";
  if (value === Infinity) return "+Inf";
  if (value === -Infinity) return `${MINUS}Inf`;
  return value === 0 ? "0" : undefined;
}

// "3.94e11": `digits` counts the digits behind the point of the mantissa.
function withExponent(magnitude: number, digits: number): string {
  const [mantissa = "", exponent = "0"] = magnitude.toExponential(digits).split("e");
  const power = Number(exponent);
  return `${mantissa}e${power < 0 ? MINUS : ""}${Math.abs(power)}`;
}

// A value with 4 significant digits: "0.5000", "3 955", "3.94e11", "1.20e−4", "NaN"; an en dash where nothing was recorded.
export function number(value: number | null | undefined, significantDigits = 4): string {
  const word = special(value);
  if (word !== undefined || value === null || value === undefined) return word ?? NOT_RECORDED;
  const sign = value < 0 ? MINUS : "";
  const magnitude = Math.abs(value);
  if (Number.isInteger(magnitude) && magnitude < SMALLEST_LARGE) return sign + grouped(String(magnitude));
  const rounded = Number(magnitude.toPrecision(significantDigits));
  if (rounded < SMALLEST_PLAIN || rounded >= SMALLEST_LARGE) return sign + withExponent(magnitude, Math.min(2, significantDigits - 1));
  const text = magnitude.toPrecision(significantDigits);
  // From 1e4 on the whole part is longer than the digits asked for: it stays whole.
  const plain = text.includes("e") ? String(Math.round(magnitude)) : text;
  const [whole = "", fraction] = plain.split(".");
  return sign + grouped(whole) + (fraction === undefined ? "" : `.${fraction}`);
}

// A label of an axis: as short as it can be without a lie ("0.25", "1e−4", "2.5e6").
export function tick(value: number): string {
  const word = special(value);
  if (word !== undefined) return word;
  const sign = value < 0 ? MINUS : "";
  const magnitude = Number(Math.abs(value).toPrecision(6));
  if (magnitude < SMALLEST_PLAIN || magnitude >= SMALLEST_LARGE) {
    const [mantissa = "", exponent = "0"] = magnitude.toExponential().split("e");
    const power = Number(exponent);
    return `${sign}${mantissa}e${power < 0 ? MINUS : ""}${Math.abs(power)}`;
  }
  const [whole = "", fraction] = String(magnitude).split(".");
  return sign + grouped(whole) + (fraction === undefined ? "" : `.${fraction}`);
}

// A whole number in full: "294 912".
export function count(value: number | null | undefined): string {
  const word = special(value);
  if (word !== undefined || value === null || value === undefined) return word ?? NOT_RECORDED;
  return (value < 0 ? MINUS : "") + grouped(String(Math.abs(Math.round(value))));
}

// A share of 1: "61 %".
export function percent(value: number | null | undefined, decimals = 0): string {
  if (value === null || value === undefined) return NOT_RECORDED;
  if (!Number.isFinite(value)) return special(value) ?? NOT_RECORDED;
  return `${value < 0 ? MINUS : ""}${Math.abs(value * 100).toFixed(decimals)}${NARROW_SPACE}%`;
}

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

// "4.8 MB": powers of 1000, as disks and networks are sold.
export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return NOT_RECORDED;
  let unit = 0;
  let amount = value;
  while (Math.abs(amount) >= 999.5 && unit < BYTE_UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || Math.abs(amount) >= 99.95 ? 0 : 1;
  return `${amount.toFixed(digits)}${NARROW_SPACE}${BYTE_UNITS[unit] ?? ""}`;
}

const two = (value: number): string => String(value).padStart(2, "0");

// A duration: "820 µs", "12.4 ms", "29.8 s", "4 min 07 s", "3 h 12 min", "2 d 4 h".
export function seconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return NOT_RECORDED;
  if (!Number.isFinite(value)) return special(value) ?? NOT_RECORDED;
  const sign = value < 0 ? MINUS : "";
  const magnitude = Math.abs(value);
  const unit = (amount: number, word: string): string =>
    `${sign}${amount >= 99.95 ? amount.toFixed(0) : amount.toFixed(1)}${NARROW_SPACE}${word}`;
  if (magnitude === 0) return `0${NARROW_SPACE}s`;
  if (magnitude < 999.5e-6) return unit(magnitude * 1e6, "µs");
  if (magnitude < 0.9995) return unit(magnitude * 1e3, "ms");
  if (magnitude < 119.95) return unit(magnitude, "s");
  const whole = Math.round(magnitude);
  if (whole < 7200) return `${sign}${Math.floor(whole / 60)}${NARROW_SPACE}min ${two(whole % 60)}${NARROW_SPACE}s`;
  const minutes = Math.round(magnitude / 60);
  if (minutes < 2880) return `${sign}${Math.floor(minutes / 60)}${NARROW_SPACE}h ${two(minutes % 60)}${NARROW_SPACE}min`;
  const hours = Math.round(magnitude / 3600);
  return `${sign}${Math.floor(hours / 24)}${NARROW_SPACE}d ${hours % 24}${NARROW_SPACE}h`;
}

// A moment (seconds since 1970) as local time: "14:03:22" today, "2026-11-16 14:03" otherwise.
export function clock(time: number | null | undefined, now: number = Date.now() / 1000): string {
  if (time === null || time === undefined || !Number.isFinite(time)) return NOT_RECORDED;
  const moment = new Date(time * 1000);
  const day = dayOf(moment);
  const hour = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  return day === dayOf(new Date(now * 1000)) ? `${hour}:${two(moment.getSeconds())}` : `${day} ${hour}`;
}

function dayOf(moment: Date): string {
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

// How long ago a moment was: "just now", "4 min ago", "3 h ago", "12 d ago".
export function ago(time: number | null | undefined, now: number = Date.now() / 1000): string {
  if (time === null || time === undefined || !Number.isFinite(time)) return NOT_RECORDED;
  const passed = Math.max(0, now - time);
  if (passed < 5) return "just now";
  if (passed < 59.5) return `${Math.round(passed)}${NARROW_SPACE}s ago`;
  if (passed < 3570) return `${Math.round(passed / 60)}${NARROW_SPACE}min ago`;
  if (passed < 171000) return `${Math.round(passed / 3600)}${NARROW_SPACE}h ago`;
  return `${Math.round(passed / 86400)}${NARROW_SPACE}d ago`;
}
