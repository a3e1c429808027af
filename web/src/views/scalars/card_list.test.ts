// The list of cards: filter, pins, and what starts closed.
import { expect, it } from "vitest";
import { tagGroups } from "$charts/tag_cards";
import { closedAtFirst, compileTagFilter, matchingGroups, withPinned } from "./card_list";

const groups = tagGroups(["train/loss", "val/loss", "train/accuracy", "train/epoch", "norm/conv1", "norm/conv2"]);
const titles = (list: typeof groups): string[] => list.flatMap((group) => group.cards.map((card) => `${group.name}: ${card.title}`));

it("keeps the cards of which a tag matches", () => {
  expect(titles(matchingGroups(groups, compileTagFilter("VAL/")))).toEqual(["metrics: loss"]);
  expect(titles(matchingGroups(groups, compileTagFilter("conv[12]$")))).toEqual(["norm: conv1", "norm: conv2"]);
  expect(matchingGroups(groups, null)).toEqual(groups);
});
it("shows pinned cards first, in the order of the pins, and ignores pins of other things", () => {
  expect(titles(withPinned(groups, ["scalars:norm/conv2", "scalars:gone", "images:x", "scalars:loss"])).slice(0, 2)).toEqual(["pinned: conv2", "pinned: loss"]);
  expect(withPinned(groups, [])).toEqual(groups);
  expect(withPinned(tagGroups(["pinned/a", "loss"]), ["scalars:loss", "scalars:loss"]).map((group) => [group.name, group.cards.length])).toEqual([
    ["pinned cards", 1], ["metrics", 1], ["pinned", 1],
  ]);
});
it("starts with counters closed, and with the later groups of very many", () => {
  expect([...closedAtFirst(groups, false)]).toEqual(["counters"]);
  expect([...closedAtFirst(groups, true)]).toEqual([]);
  const many = tagGroups(Array.from({ length: 1000 }, (_, i) => `block${Math.floor(i / 100)}/unit${i}`));
  expect(closedAtFirst(many, false).size).toBe(7);
});
