// How pictures are shown: size, brightness, contrast, colours, sample; the same for all cards, and in the address.
import type { ChannelAxis } from "$charts/feature_maps";
import type { ColorChoice } from "$charts/value_colors";
import { numberParam, param } from "$state/address.svelte";
import type { SourceChoice, Zoom } from "./sections";

const source = param("show", "all");
const zoom = param("size", "fit");
const brightness = numberParam("brightness", 1);
const contrast = numberParam("contrast", 1);
const colors = param("colors", "auto");
const sample = numberParam("sample", 0);
const axis = param("channels", "last");

const oneOf = <T extends string>(value: string, allowed: readonly T[], otherwise: T): T => allowed.find((each) => each === value) ?? otherwise;

export const look = {
  get source(): SourceChoice {
    return oneOf(source.value, ["all", "images", "maps"], "all");
  },
  set source(value: string) {
    source.value = value;
  },
  get zoom(): Zoom {
    return oneOf(zoom.value, ["fit", "1", "2", "4", "8"], "fit");
  },
  set zoom(value: string) {
    zoom.value = value;
  },
  get brightness(): number {
    return brightness.value;
  },
  set brightness(value: number) {
    brightness.value = value;
  },
  get contrast(): number {
    return contrast.value;
  },
  set contrast(value: number) {
    contrast.value = value;
  },
  get colors(): ColorChoice {
    return oneOf(colors.value, ["auto", "seq", "grey", "div"], "auto");
  },
  set colors(value: string) {
    colors.value = value;
  },
  get sample(): number {
    return Math.max(0, Math.round(sample.value));
  },
  set sample(value: number) {
    sample.value = value;
  },
  get axis(): ChannelAxis {
    return oneOf(axis.value, ["first", "last"], "last");
  },
  set axis(value: string) {
    axis.value = value;
  },
  get isPlain(): boolean {
    return brightness.value === 1 && contrast.value === 1;
  },
  reset(): void {
    brightness.value = 1;
    contrast.value = 1;
  },
};
