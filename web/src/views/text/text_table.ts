// Texts of any shape: one string, or strings in rows and columns; and the search in them.
export interface TextEntry {
  step: number;
  wall_time: number;
  shape: number[];
  strings: string[];
}

// Rows of cells; null for a single string. Axes before the last two are joined into the rows.
export function tableOf(entry: Pick<TextEntry, "shape" | "strings">): string[][] | null {
  const { shape, strings } = entry;
  if (shape.length === 0 || strings.length <= 1) return null;
  const columns = shape.length === 1 ? 1 : (shape.at(-1) ?? 1);
  if (columns === 0) return null;
  const rows: string[][] = [];
  for (let i = 0; i < strings.length; i += columns) rows.push(strings.slice(i, i + columns));
  return rows;
}

// Every word of the search is somewhere in the text, in any case of letters.
export function matches(entry: Pick<TextEntry, "strings">, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return true;
  const text = entry.strings.join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

export const shapeWords = (shape: readonly number[]): string => (shape.length <= 1 && (shape[0] ?? 1) <= 1 ? "" : `${shape.join(" × ")} strings`);
