// Scalars: values under the cursor, zoom, smoothing, filter, and what can be saved.
import { expect, test } from "vitest";
import { number } from "../src/charts/numbers";
import { lastOf, scalarsOf } from "./truth";
import { visitRuns } from "./visit";

const visit = visitRuns("#/scalars");
const trained = ["adam-1e-3", "adam-warmup", "sgd-3e-2", "sgd-noclip"];
const chart = (title: string) => visit.card(title).getByRole("application");
const hash = () => new URL(visit.visitor.page.url()).hash;

async function chooseOfMenu(card: string, item: string): Promise<void> {
  await visit.card(card).hover();
  await visit.card(card).getByRole("button", { name: `More of ${card}` }).click();
  await visit.visitor.page.getByRole("menuitem", { name: item }).click();
}

test("train and val of a run share a card, and nothing is smoothed", async () => {
  expect(await chart("accuracy").getAttribute("aria-label")).toMatch(/^accuracy: 4 runs, 1\u202f020 points/);
  expect(await visit.visitor.page.getByRole("slider", { name: "Smoothing" }).inputValue()).toBe("0");
  expect(hash()).not.toContain("smooth");
});

test("the card as a table has the last values that were recorded", async () => {
  await chooseOfMenu("accuracy", "Show as table");
  await visit.visitor.page.mouse.move(2, 2);
  const table = visit.card("accuracy").getByRole("table");
  await table.getByRole("columnheader", { name: /250/ }).waitFor();
  for (const run of trained) {
    const cells = await table.getByRole("row").filter({ hasText: run }).getByRole("cell").allTextContents();
    expect(cells.slice(1).map((text) => text.trim())).toEqual([number(lastOf(run, "train/accuracy")), number(lastOf(run, "val/accuracy"))]);
  }
  await chooseOfMenu("accuracy", "Show as table");
});

test("the values under the pointer are those of that step", async () => {
  const box = await chart("accuracy").boundingBox();
  if (!box) throw new Error("no chart");
  await visit.visitor.page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.5);
  const tip = visit.visitor.page.getByRole("tooltip");
  await tip.waitFor();
  const step = Number(/(\d+)/.exec((await tip.innerText()).replace(/\u202f/g, ""))?.[1]);
  expect(step).toBeGreaterThan(100);
  for (const run of trained) {
    const truth = scalarsOf(run, "train/accuracy");
    const cells = await tip.getByRole("row").filter({ hasText: run }).getByRole("cell").allTextContents();
    expect(cells[1]?.trim(), `${run} at ${step}`).toBe(number(truth.value[truth.step.indexOf(step)]));
  }
  await visit.visitor.page.mouse.move(2, 2);
});

test("a drag zooms all cards, asks the server for that range, and a double click shows all again", async () => {
  const { page } = visit.visitor;
  const box = await chart("loss").boundingBox();
  if (!box) throw new Error("no chart");
  const asked = page.waitForRequest((request) => request.url().includes("/scalars") && request.url().includes("first_step="));
  await page.mouse.move(box.x + box.width * 0.3, box.y + 80);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 90, { steps: 4 });
  await page.mouse.up();
  await asked;
  await expect.poll(hash).toContain("zoom=");
  await visit.visitor.takePicture("scalars-zoomed");
  await page.mouse.dblclick(box.x + box.width * 0.4, box.y + 90);
  await expect.poll(hash).not.toContain("zoom=");
});

test("smoothing is asked for with S; the tooltip then has the raw value too", async () => {
  const { page } = visit.visitor;
  await page.keyboard.press("s");
  await expect.poll(hash).toContain("smooth=0.6");
  const box = await chart("loss").boundingBox();
  if (!box) throw new Error("no chart");
  await page.mouse.move(box.x + box.width * 0.25, box.y + 100);
  await page.getByRole("tooltip").getByRole("columnheader", { name: "raw" }).first().waitFor();
  await visit.visitor.takePicture("scalars-smoothed");
  await page.mouse.move(2, 2);
  await page.keyboard.press("s");
  await expect.poll(hash).not.toContain("smooth");
});

test("a regular expression leaves the tags that match; a bad one is said to be bad", async () => {
  const { page } = visit.visitor;
  const box = page.getByRole("main").getByRole("searchbox", { name: "Filter tags (regex)" }).or(page.getByRole("textbox", { name: "Filter tags (regex)" }));
  await box.fill("^train/acc");
  await expect.poll(() => page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents()).toEqual(["accuracy"]);
  await box.fill("([");
  await expect.poll(() => box.getAttribute("aria-invalid")).toBe("true");
  await box.fill("");
  await expect.poll(async () => (await page.getByRole("main").getByRole("heading", { level: 2 }).count()) > 3).toBe(true);
});

test("the CSV of a card has every point that was recorded", async () => {
  const { page } = visit.visitor;
  await visit.card("accuracy").hover();
  await visit.card("accuracy").getByRole("button", { name: "More of accuracy" }).click();
  const link = await page.getByRole("menuitem", { name: "All points as CSV" }).getAttribute("href");
  await page.keyboard.press("Escape");
  const text = await (await fetch(new URL(link ?? "", visit.server.address))).text();
  const rows = text.trim().split(/\r?\n/).slice(1).map((line) => line.split(","));
  for (const run of trained) {
    const own = rows.filter((row) => row[0] === run && row[1] === "train/accuracy");
    const truth = scalarsOf(run, "train/accuracy");
    expect(own.map((row) => Number(row[2]))).toEqual(truth.step);
    expect(own.map((row) => Number(row[4]))).toEqual(truth.value);
  }
});

test("a picture of a card can be saved as PNG and as SVG", async () => {
  const { page } = visit.visitor;
  for (const [item, ending] of [["Save as PNG", ".png"], ["Save as SVG", ".svg"]] as const) {
    const saved = page.waitForEvent("download");
    await chooseOfMenu("accuracy", item);
    expect((await saved).suggestedFilename()).toMatch(new RegExp(`${ending}$`));
  }
});

test("a pinned card stands on top, for every browser and after a restart", async () => {
  const { page } = visit.visitor;
  await visit.card("learning_rate").hover();
  await visit.card("learning_rate").getByRole("button", { name: "Pin to the top" }).click();
  const pinned = page.getByRole("region", { name: "pinned" }).getByRole("heading", { name: "learning_rate" });
  await pinned.waitFor();
  await page.reload();
  await visit.visitor.settled();
  await pinned.waitFor();
  expect((await visit.server.ask<{ pins: string[] }>("preferences")).pins).toHaveLength(1);
  await visit.card("learning_rate").first().hover();
  await visit.card("learning_rate").first().getByRole("button", { name: "Unpin" }).click();
  await expect.poll(() => pinned.count()).toBe(0);
});

test("NaN, Inf and values that a log axis cannot show are counted, not hidden", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/scalars?tags=not finite");
  const card = visit.card("not finite");
  await card.waitFor();
  await expect.poll(() => card.locator("footer").innerText()).toMatch(/1 NaN/);
  await expect.poll(() => card.locator("footer").innerText()).toMatch(/2 .*Inf/);
  await page.keyboard.press("l");
  await expect.poll(() => card.locator("footer").innerText()).toMatch(/2 (≤|<=) 0/);
  await visit.visitor.takePicture("scalars-not-finite");
  await visit.visitor.go("#/scalars");
});
