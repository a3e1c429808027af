// What a picture can be saved as: PNG, SVG, and text such as CSV.
const REVOKE_AFTER_MS = 10_000;

// A name that every file system takes: "val/loss" becomes "val-loss".
export function fileName(parts: string, extension: string): string {
  const safe = parts
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 120);
  return `${safe === "" ? "chart" : safe}.${extension}`;
}

function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.rel = "noopener";
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
}

// `picture` is a canvas, or an ECharts instance (anything that can render itself to one).
export interface CanvasPicture {
  renderToCanvas(options: { pixelRatio: number; backgroundColor: string }): HTMLCanvasElement;
}

export async function savePng(picture: HTMLCanvasElement | CanvasPicture, name: string, background = "#ffffff"): Promise<void> {
  const canvas =
    picture instanceof HTMLCanvasElement
      ? onBackground(picture, background)
      : picture.renderToCanvas({ pixelRatio: Math.max(2, devicePixelRatio), backgroundColor: background });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error("The browser could not make a PNG of this picture; make the window smaller and try again.");
  saveBlob(blob, fileName(name, "png"));
}

function onBackground(source: HTMLCanvasElement, background: string): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  copy.width = source.width;
  copy.height = source.height;
  const context = copy.getContext("2d");
  if (context === null) return source;
  context.fillStyle = background;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(source, 0, 0);
  return copy;
}

export function saveSvg(svg: string, name: string): void {
  saveBlob(new Blob([svg], { type: "image/svg+xml" }), fileName(name, "svg"));
}

export function saveText(text: string, name: string, extension = "csv"): void {
  saveBlob(new Blob([text], { type: `text/${extension === "csv" ? "csv" : "plain"};charset=utf-8` }), fileName(name, extension));
}

// One cell of a CSV file, quoted where RFC 4180 asks for it. Text that a spreadsheet would take for a formula has '
// before it, as in the files that the server makes.
function cell(value: string | number): string {
  if (typeof value === "number") return Number.isNaN(value) ? "NaN" : value === Infinity ? "Infinity" : value === -Infinity ? "-Infinity" : String(value);
  if (/^[=+\-@\t\r]/.test(value)) return `"'${value.replaceAll('"', '""')}"`;
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

export function csv(header: readonly string[], rows: Iterable<readonly (string | number)[]>): string {
  const lines = [header.map(cell).join(",")];
  for (const row of rows) lines.push(row.map(cell).join(","));
  return `${lines.join("\n")}\n`;
}
