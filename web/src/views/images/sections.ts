// Which pictures the view lists: recorded images, and raw activations of layers as feature maps.
export interface PictureTag {
  tag: string;
  source: "images" | "maps";
  runs: string[];
}

export type SourceChoice = "all" | "images" | "maps";

interface CatalogTag {
  tag: string;
  kind: string;
  runs: string[];
}

// Raw tensors that can be pictures are those of layers; the rest is at home in Tensors.
export const isLayerTensor = (tag: string): boolean => /(^|\/)activations\//.test(tag);

export function pictureTags(tags: readonly CatalogTag[], source: SourceChoice, filter: RegExp | null, visible: ReadonlySet<string>): PictureTag[] {
  const found: PictureTag[] = [];
  for (const entry of tags) {
    const of = entry.kind === "images" ? "images" : entry.kind === "tensors" && isLayerTensor(entry.tag) ? "maps" : null;
    if (of === null || (source !== "all" && source !== of) || (filter && !filter.test(entry.tag))) continue;
    const runs = entry.runs.filter((run) => visible.has(run));
    if (runs.length > 0) found.push({ tag: entry.tag, source: of, runs });
  }
  // Images first: they were asked for; within, the catalogue's order.
  return [...found.filter((entry) => entry.source === "images"), ...found.filter((entry) => entry.source === "maps")];
}

// How large a picture is on the screen. "fit" fills its tile; numbers are screen pixels for one of the picture.
export type Zoom = "fit" | "1" | "2" | "4" | "8";

// Enlarged pictures show their pixels, reduced ones are smoothed.
export const isPixelated = (zoom: Zoom, width: number): boolean => (zoom === "fit" ? width <= 200 : zoom !== "1");
