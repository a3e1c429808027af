// The cards of the Scalars view: filtered by tag, pinned ones first, groups that start closed.
import { COUNTERS, type TagCard, type TagGroup } from "$charts/tag_cards";

export const PINNED = "pinned";
// With more cards than this, only the first groups start open.
const MANY_CARDS = 200;
const GROUPS_OPEN = 3;

export function matchingGroups(groups: readonly TagGroup[], pattern: RegExp | null): TagGroup[] {
  if (pattern === null) return [...groups];
  const matches = (card: TagCard): boolean => pattern.test(card.id) || card.uses.some((use) => pattern.test(use.tag));
  return groups.map((group) => ({ ...group, cards: group.cards.filter(matches) })).filter((group) => group.cards.length > 0);
}

// Pins name cards: "scalars:loss". A pinned card also stays in its own group.
export function withPinned(groups: readonly TagGroup[], pins: readonly string[]): TagGroup[] {
  const byId = new Map<string, TagCard>(groups.flatMap((group) => group.cards.map((card) => [`scalars:${card.id}`, card] as const)));
  const cards = [...new Set(pins)].flatMap((pin) => byId.get(pin) ?? []);
  const taken = new Set(groups.map((group) => group.name));
  // A tag may begin with "pinned/" too.
  let name = PINNED;
  while (taken.has(name)) name += " cards";
  return cards.length > 0 ? [{ name, cards }, ...groups] : [...groups];
}

// Which groups are closed before anybody touched them: counters, and the later ones of very many. A filter opens all.
export function closedAtFirst(groups: readonly TagGroup[], filtered: boolean): Set<string> {
  const total = groups.reduce((sum, group) => sum + group.cards.length, 0);
  const closed = groups.filter((group, i) => group.name === COUNTERS || (total > MANY_CARDS && i >= GROUPS_OPEN && !filtered));
  return new Set(groups.length > 1 && !filtered ? closed.map((group) => group.name) : []);
}

export function compileTagFilter(text: string): RegExp | null {
  return text === "" ? null : new RegExp(text, "i");
}
