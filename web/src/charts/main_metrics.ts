// Which metrics tell how a training goes: the loss, and what it is for.
import { METRICS, type TagCard, type TagGroup } from "./tag_cards";

const MOST_CARDS = 2;

// The cards that open the Overview: loss first, then the best known metric.
export function mainCards(groups: readonly TagGroup[]): TagCard[] {
  const metrics = groups.find((group) => group.name === METRICS)?.cards ?? [];
  const useful = metrics.filter((card) => card.kind === "loss" || card.kind === "fraction" || card.kind === "other");
  const loss = useful.find((card) => card.kind === "loss");
  const metric = useful.find((card) => card.kind === "fraction" && !/^epoch_/.test(card.title)) ?? useful.find((card) => card.kind === "fraction");
  const chosen = [loss, metric].filter((card) => card !== undefined);
  const others = [...metrics, ...groups.flatMap((group) => group.cards)].filter((card) => !chosen.includes(card));
  return [...chosen, ...others].slice(0, MOST_CARDS);
}

// What counts as success: the tag to look at, and whether more of it is better.
export interface Goal {
  readonly tag: string;
  readonly title: string;
  readonly largest: boolean;
}

// The best value of a metric on data that was not trained on, where there is one.
export function goalOf(groups: readonly TagGroup[]): Goal | null {
  const cards = groups.find((group) => group.name === METRICS)?.cards ?? [];
  for (const kind of ["fraction", "loss"] as const) {
    for (const card of cards) {
      const held = card.uses.find((use) => use.phase === "val") ?? card.uses.find((use) => use.role === "val");
      if (card.kind === kind && held !== undefined) return { tag: held.tag, title: `Best ${held.phase} ${card.title}`, largest: kind === "fraction" };
    }
  }
  return null;
}

export function trainLossOf(groups: readonly TagGroup[]): { tag: string; title: string } | null {
  const card = groups.find((group) => group.name === METRICS)?.cards.find((each) => each.kind === "loss");
  const use = card?.uses.find((each) => each.role !== "val") ?? card?.uses[0];
  if (card === undefined || use === undefined) return null;
  return { tag: use.tag, title: `Last ${use.phase === "value" ? "" : `${use.phase} `}${card.title}` };
}
