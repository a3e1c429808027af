// What an empty view says below its lines: that other runs have something, or that it fills by itself.

export function elsewhere(tags: readonly { runs: readonly string[] }[]): string {
  const runs = new Set(tags.flatMap((entry) => entry.runs)).size;
  if (runs === 0) return "This page fills by itself when the first one arrives.";
  return runs === 1 ? "1 run that is not ticked has some." : `${runs} runs that are not ticked have some.`;
}
