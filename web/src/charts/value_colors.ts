// Colours of raw values: which scale a picture of them gets, and how they become pixels.
import { divScale, isHatched, packColor, seqScale, type HeatScale, type HeatTokens } from "./scales";

export type ColorMap = "seq" | "div" | "grey";
// "auto": signed colours where there are negative values, viridis otherwise.
export type ColorChoice = "auto" | ColorMap;

export const COLOR_CHOICES: { value: ColorChoice; label: string }[] = [
  { value: "auto", label: "Auto" },
  { value: "seq", label: "Viridis" },
  { value: "grey", label: "Grey" },
  { value: "div", label: "Diverging" },
];

const GREY = ["#000000", "#ffffff"];

// Magnitudes that are not negative begin at 0, so that pictures of one layer can be compared.
export function valueScale(choice: ColorChoice, min: number, max: number, tokens: HeatTokens): HeatScale {
  const known = Number.isFinite(min) && Number.isFinite(max);
  const map = choice === "auto" ? (known && min < 0 ? "div" : "seq") : choice;
  if (map === "div") return divScale(tokens, known ? Math.max(Math.abs(min), Math.abs(max)) : 1);
  const lo = !known || min >= 0 ? 0 : min;
  const hi = known && max > lo ? max : lo + 1;
  return seqScale(map === "grey" ? { ...tokens, seq: GREY } : tokens, { kind: "linear", lo, hi });
}

// Values as pixels, `width` values to a row. `times` enlarges each to a square: NaN then gets its hatch instead of one of its colours.
export function paintValues(
  pixels: Uint32Array, width: number, at: (index: number) => number, scale: HeatScale, tokens: HeatTokens, times = 1,
): void {
  const [light, dark] = [packColor(tokens.heatNanA), packColor(tokens.heatNanB)];
  const across = width * times;
  for (let i = 0; i < pixels.length; i += 1) {
    const [x, y] = [i % across, Math.floor(i / across)];
    const value = at(Math.floor(y / times) * width + Math.floor(x / times));
    if (!Number.isNaN(value)) pixels[i] = scale.packed(value);
    else pixels[i] = isHatched(x, y) ? dark : light;
  }
}

const HATCHED = 6;
const MOST_PIXELS = 2 ** 21;

// The same on a canvas, one pixel a value; CSS enlarges it without blur.
export function drawValues(
  canvas: HTMLCanvasElement, width: number, height: number, at: (index: number) => number, scale: HeatScale, tokens: HeatTokens,
): void {
  const times = width * height * HATCHED ** 2 <= MOST_PIXELS && hasNan(width * height, at) ? HATCHED : 1;
  canvas.width = width * times;
  canvas.height = height * times;
  const context = canvas.getContext("2d");
  if (!context || width === 0 || height === 0) return;
  const image = context.createImageData(canvas.width, canvas.height);
  paintValues(new Uint32Array(image.data.buffer), width, at, scale, tokens, times);
  context.putImageData(image, 0, 0);
}

function hasNan(length: number, at: (index: number) => number): boolean {
  for (let i = 0; i < length; i += 1) if (Number.isNaN(at(i))) return true;
  return false;
}
