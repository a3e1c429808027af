// A long name without what the names of all runs begin with.

export const LONG_NAME = 20;

export function shortName(name: string, prefix: string): string {
  const gains = prefix.length > 3 && name.length > LONG_NAME && name.startsWith(prefix);
  return gains ? `…${name.slice(prefix.length)}` : name;
}
