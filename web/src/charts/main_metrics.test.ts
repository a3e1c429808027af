// Main metrics: what a person wants to see first.
import { describe, expect, it } from "vitest";
import { goalOf, mainCards, trainLossOf } from "./main_metrics";
import { tagGroups } from "./tag_cards";

const fit = tagGroups(["train/accuracy", "train/epoch", "train/epoch_loss", "train/learning_rate", "train/loss", "val/accuracy", "val/loss", "norm/a"]);

describe("mainCards", () => {
  it("are loss and accuracy of a classifier", () => {
    expect(mainCards(fit).map((card) => card.title)).toEqual(["loss", "accuracy"]);
  });
  it("are whatever there is when names say nothing", () => {
    expect(mainCards(tagGroups(["group0/metric_00", "group0/metric_01", "group1/metric_10"])).map((card) => card.title)).toEqual(["metric_00", "metric_01"]);
    expect(mainCards(tagGroups([]))).toEqual([]);
    expect(mainCards(tagGroups(["loss"])).map((card) => card.title)).toEqual(["loss"]);
  });
});

describe("goalOf", () => {
  it("is the largest val accuracy, else the smallest val loss", () => {
    expect(goalOf(fit)).toEqual({ tag: "val/accuracy", title: "Best val accuracy", largest: true });
    expect(goalOf(tagGroups(["loss", "val_loss"]))).toEqual({ tag: "val_loss", title: "Best val loss", largest: false });
  });
  it("is nothing where only training was measured", () => {
    expect(goalOf(tagGroups(["train/loss", "train/accuracy"]))).toBeNull();
  });
});

it("knows the loss of the training itself", () => {
  expect(trainLossOf(fit)).toEqual({ tag: "train/loss", title: "Last train loss" });
  expect(trainLossOf(tagGroups(["loss"]))).toEqual({ tag: "loss", title: "Last loss" });
  expect(trainLossOf(tagGroups(["reward"]))).toBeNull();
});
