// J and K: from card to card, in reading order.

export function moveToCard(direction: number): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>("main [data-card]")];
  if (cards.length === 0) return false;
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const next = at < 0 ? (direction > 0 ? 0 : cards.length - 1) : at + direction;
  const card = cards[Math.max(0, Math.min(cards.length - 1, next))];
  card?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: "nearest" });
  return true;
}
