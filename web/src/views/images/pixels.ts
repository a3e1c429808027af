// Pixels of a recorded picture: which one lies under the pointer, and its value in words.
export interface Pixel {
  x: number;
  y: number;
  red: number;
  green: number;
  blue: number;
  alpha: number;
}

// The pixel of a picture of `width` x `height` under a point of the box it is drawn in; null outside.
export function pixelUnder(
  box: { left: number; top: number; width: number; height: number }, width: number, height: number, clientX: number, clientY: number,
): { x: number; y: number } | null {
  const x = Math.floor(((clientX - box.left) / box.width) * width);
  const y = Math.floor(((clientY - box.top) / box.height) * height);
  return x >= 0 && y >= 0 && x < width && y < height ? { x, y } : null;
}

const hex = (value: number): string => value.toString(16).padStart(2, "0");

// "128", "red 12, green 200, blue 7", with the opacity where it is not full.
export function pixelWords({ red, green, blue, alpha }: Pixel): string {
  const color = red === green && green === blue ? String(red) : `${red}, ${green}, ${blue}`;
  return alpha === 255 ? color : `${color}, opacity ${alpha}`;
}

export const pixelColor = ({ red, green, blue }: Pixel): string => `#${hex(red)}${hex(green)}${hex(blue)}`;

// Reads pixels of one picture; drawn once, when the first is asked for. The recorded values: brightness and contrast are of the screen.
export class PixelReader {
  private context: CanvasRenderingContext2D | null = null;
  private source = "";

  at(image: HTMLImageElement, clientX: number, clientY: number): Pixel | null {
    const { naturalWidth, naturalHeight } = image;
    if (!image.complete || naturalWidth === 0) return null;
    const place = pixelUnder(image.getBoundingClientRect(), naturalWidth, naturalHeight, clientX, clientY);
    if (!place) return null;
    if (this.source !== image.currentSrc) this.draw(image);
    const data = this.context?.getImageData(place.x, place.y, 1, 1).data;
    if (!data) return null;
    const [red = 0, green = 0, blue = 0, alpha = 0] = data;
    return { ...place, red, green, blue, alpha };
  }

  private draw(image: HTMLImageElement): void {
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    this.context = canvas.getContext("2d", { willReadFrequently: true, colorSpace: "srgb" });
    this.context?.drawImage(image, 0, 0);
    this.source = image.currentSrc;
  }
}
