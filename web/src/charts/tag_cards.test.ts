// Cards: what shares a chart, and what comes first.
import { describe, expect, it } from "vitest";
import { tagGroups } from "./tag_cards";

const outline = (tags: string[]): Record<string, string[]> =>
  Object.fromEntries(tagGroups(tags).map((group) => [group.name, group.cards.map((card) => card.title)]));
const cardOf = (tags: string[], id: string) => tagGroups(tags).flatMap((group) => group.cards).find((card) => card.id === id);

const fit = [
  "train/accuracy", "train/epoch", "train/epoch_accuracy", "train/epoch_loss", "train/learning_rate", "train/loss", "train/step_seconds",
  "update_ratio/conv10/kernel", "update_ratio/conv2/kernel", "val/accuracy", "val/loss",
];

describe("tagGroups", () => {
  it("puts loss, metrics and learning rate first, and counters last", () => {
    expect(outline(fit)).toEqual({
      metrics: ["loss", "accuracy", "learning_rate", "epoch_accuracy", "epoch_loss", "step_seconds"],
      update_ratio: ["conv2/kernel", "conv10/kernel"],
      counters: ["epoch"],
    });
  });
  it("draws train thin and val thick in one card", () => {
    expect(cardOf(fit, "loss")?.uses).toEqual([
      { tag: "train/loss", phase: "train", role: "train" },
      { tag: "val/loss", phase: "val", role: "val" },
    ]);
  });
  it("leaves a tag without counterpart alone", () => {
    expect(cardOf(fit, "learning_rate")?.uses).toEqual([{ tag: "train/learning_rate", phase: "train", role: "single" }]);
  });
  it("knows the pairs of Keras histories and of PyTorch scripts", () => {
    expect(cardOf(["loss", "val_loss"], "loss")?.uses.map((use) => use.role)).toEqual(["train", "val"]);
    expect(cardOf(["Loss/train", "Loss/test"], "Loss")?.uses.map((use) => use.phase)).toEqual(["train", "test"]);
    expect(cardOf(["train/epoch_loss", "validation/epoch_loss"], "epoch_loss")?.uses.map((use) => use.phase)).toEqual(["train", "val"]);
    expect(cardOf(["a/train_loss", "a/val_loss"], "a/loss")?.uses).toHaveLength(2);
  });
  it("does not take a name apart that only looks like a phase", () => {
    expect(outline(["test_reward", "val_count"])).toEqual({ metrics: ["test_reward", "val_count"] });
    expect(outline(["runs/test"])).toEqual({ runs: ["test"] });
  });
  it("has a card for every tag, once", () => {
    const tags = ["a", "a/b", "train/a", "val/a", "test/a", "val_a", "a/val", "/x", "train/", "val//"];
    const used = tagGroups(tags).flatMap((group) => group.cards.flatMap((card) => card.uses.map((use) => use.tag)));
    expect(used.sort()).toEqual([...tags].sort());
  });
});
