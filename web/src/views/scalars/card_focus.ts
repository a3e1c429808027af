// Moving from card to card with the keyboard.

// Focuses the next or previous card below `root`; from none, the first one that can be seen.
export function stepToCard(root: HTMLElement | undefined, by: 1 | -1): void {
  const cards = [...(root?.querySelectorAll<HTMLElement>("[data-card]") ?? [])];
  if (cards.length === 0) return;
  const here = cards.findIndex((card) => card.contains(document.activeElement));
  const visible = cards.findIndex((card) => card.getBoundingClientRect().bottom > 100);
  const next = here < 0 ? Math.max(0, visible) : Math.max(0, Math.min(cards.length - 1, here + by));
  cards[next]?.focus({ preventScroll: true });
  cards[next]?.scrollIntoView({ block: "nearest" });
}
