// Colours of raw values: which scale a picture of them gets, and how they become pixels.
import { divScale, packColor, seqScale, type HeatScale, type HeatTokens } from "./scales";

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

// Values as pixels, `width` to a row. NaN alternates between its two colours from pixel to pixel: a hatch of the smallest size.
export function paintValues(pixels: Uint32Array, width: number, at: (index: number) => number, scale: HeatScale, tokens: HeatTokens): void {
  const nan = [packColor(tokens.heatNanA), packColor(tokens.heatNanB)] as const;
  for (let i = 0; i < pixels.length; i += 1) {
    const value = at(i);
    if (!Number.isNaN(value)) pixels[i] = scale.packed(value);
    else pixels[i] = ((i % width) + Math.floor(i / width)) % 2 === 0 ? nan[0] : nan[1];
  }
}

// The same on a canvas, one pixel a value; CSS enlarges it without blur.
export function drawValues(
  canvas: HTMLCanvasElement, width: number, height: number, at: (index: number) => number, scale: HeatScale, tokens: HeatTokens,
): void {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context || width === 0 || height === 0) return;
  const image = context.createImageData(width, height);
  paintValues(new Uint32Array(image.data.buffer), width, at, scale, tokens);
  context.putImageData(image, 0, 0);
}
