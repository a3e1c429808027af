// What the jump box offers for a text: views, runs (@), steps (#), tags, commands (>).

export interface Entry {
  group: string;
  label: string;
  // At the right end.
  hint?: string;
  // A run whose dot stands before the label.
  run?: string;
  act: () => void;
}

export interface Found {
  entry: Entry;
  // Which letters of the label matched: [from, to) pairs.
  marks: [number, number][];
  score: number;
}

export interface Sources {
  views: readonly Entry[];
  runs: readonly Entry[];
  tags: readonly Entry[];
  commands: readonly Entry[];
  step: (step: number) => Entry;
}

const MOST_OF_GROUP = 6;
const MOST_OF_ONE_KIND = 50;

// Every word has to occur; matches at the beginning of a part of the name come first, then short names.
export function match(entry: Entry, words: readonly string[]): Found | null {
  const text = entry.label.toLowerCase();
  const marks: [number, number][] = [];
  let score = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) return null;
    const before = text[at - 1];
    const begins = before === undefined || /[^a-z0-9]/.test(before);
    score += (at === 0 ? 0 : begins ? 100 : 200) + at;
    marks.push([at, at + word.length]);
  }
  marks.sort((a, b) => a[0] - b[0]);
  return { entry, marks, score: score + text.length / 100 };
}

export function search(entries: readonly Entry[], text: string, most: number): Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Found[] = [];
  for (const entry of entries) {
    const hit = match(entry, words);
    if (hit) found.push(hit);
  }
  if (words.length > 0) found.sort((a, b) => a.score - b.score);
  return found.slice(0, most);
}

export function findEntries(text: string, sources: Sources): Found[] {
  const rest = text.slice(1).trim();
  if (text.startsWith(">")) return search(sources.commands, rest, MOST_OF_ONE_KIND);
  if (text.startsWith("@")) return search(sources.runs, rest, MOST_OF_ONE_KIND);
  if (text.startsWith("#")) {
    const step = Number(rest);
    return rest !== "" && Number.isInteger(step) && step >= 0
      ? [{ entry: sources.step(step), marks: [], score: 0 }]
      : [];
  }
  if (text.trim() === "") return search([...sources.views, ...sources.commands], "", MOST_OF_ONE_KIND);
  return [
    ...search(sources.views, text, MOST_OF_GROUP),
    ...inGroups(search(sources.tags, text, MOST_OF_ONE_KIND * 4)),
    ...search(sources.runs, text, MOST_OF_GROUP),
    ...search(sources.commands, text, MOST_OF_GROUP),
  ];
}

// The best of each group, groups in the order of their best.
function inGroups(found: readonly Found[]): Found[] {
  const groups = new Map<string, Found[]>();
  for (const hit of found) {
    const group = groups.get(hit.entry.group) ?? [];
    if (group.length < MOST_OF_GROUP) group.push(hit);
    groups.set(hit.entry.group, group);
  }
  return [...groups.values()].flat();
}

// The label in pieces, marked or not; overlapping marks become one.
export function pieces(label: string, marks: readonly [number, number][]): { text: string; marked: boolean }[] {
  const parts: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    if (to <= at) continue;
    if (from > at) parts.push({ text: label.slice(at, from), marked: false });
    parts.push({ text: label.slice(Math.max(at, from), to), marked: true });
    at = to;
  }
  if (at < label.length) parts.push({ text: label.slice(at), marked: false });
  return parts;
}
