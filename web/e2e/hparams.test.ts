// HParams: hyperparameters and what runs reached with them, as a table and as lines.
import { expect, test } from "vitest";
import { number } from "../src/charts/numbers";
import { lastOf, scalarsOf, truthOf } from "./truth";
import { visitRuns } from "./visit";

const visit = visitRuns("#/hparams");
const trained = ["adam-1e-3", "adam-warmup", "sgd-3e-2", "sgd-noclip"];
const table = () => visit.visitor.page.getByRole("region", { name: "Runs by hyperparameters" });
const names = async () => (await table().locator("tbody tr td:first-child").allTextContents()).map((name) => name.trim());

async function cell(run: string, column: string): Promise<string | undefined> {
  const heads = (await table().locator("thead th").allTextContents()).map((head) => head.trim());
  const cells = await table().locator("tbody tr").filter({ hasText: run }).locator("td").allTextContents();
  return cells[heads.indexOf(column)]?.trim();
}

test("the table has what was recorded: hyperparameters, and the best of each metric", async () => {
  for (const run of trained) {
    expect(await cell(run, "optimizer"), run).toBe(String(truthOf(run).hparams["optimizer"]));
    expect(await cell(run, "learning_rate"), run).toBe(String(truthOf(run).hparams["learning_rate"]));
    expect(await cell(run, "val/accuracy"), run).toBe(number(Math.max(...scalarsOf(run, "val/accuracy").value)));
  }
});

test("metrics can be the last ones instead, NaN too", async () => {
  const { page } = visit.visitor;
  await page.getByRole("button", { name: "Last", exact: true }).click();
  await expect.poll(() => cell("sgd-noclip", "val/loss")).toBe("NaN");
  for (const run of trained) expect(await cell(run, "val/loss"), run).toBe(number(lastOf(run, "val/loss")));
  await page.getByRole("button", { name: "Best", exact: true }).click();
});

test("runs without hyperparameters are counted, and what all runs share is hidden until asked for", async () => {
  const { page } = visit.visitor;
  await page.getByText("4 of 4 runs, 4 without hyperparameters").waitFor();
  expect(await table().getByRole("columnheader", { name: "batch_size" }).count()).toBe(0);
  await page.getByRole("switch", { name: "Only what differs" }).click();
  await table().getByRole("columnheader", { name: "batch_size" }).waitFor();
  await page.getByRole("switch", { name: "Only what differs" }).click();
});

test("a column sorts, a filter of name=value leaves the runs that match", async () => {
  const { page } = visit.visitor;
  await table().getByRole("columnheader", { name: "peak_rate" }).getByRole("button").click();
  await expect.poll(names).toEqual(["sgd-noclip", "adam-warmup", "sgd-3e-2", "adam-1e-3"]);
  await page.getByRole("textbox", { name: "Filter (run or name=value)" }).fill("optimizer=sgd");
  await expect.poll(names).toEqual(["sgd-noclip", "sgd-3e-2"]);
  await page.getByRole("textbox", { name: "Filter (run or name=value)" }).fill("");
});

test("a line of the parallel coordinates names its run, and a click shows that run alone", async () => {
  const { page } = visit.visitor;
  const picture = page.getByRole("img", { name: /^Parallel coordinates of 4 runs over / });
  const box = await picture.boundingBox();
  if (!box) throw new Error("no picture");
  // The run with the best accuracy ends at the top of that axis.
  const label = (await picture.getAttribute("aria-label")) ?? "";
  const axes = label.replace(/^.* over /, "").split(", ");
  const side = 64;
  const x = box.x + side + (axes.indexOf("val/accuracy") * (box.width - 2 * side)) / (axes.length - 1);
  await page.mouse.move(x, box.y + 36);
  await page.getByRole("tooltip").getByText("adam-1e-3").waitFor();
  await visit.visitor.takePicture("hparams-line");
  await page.mouse.click(x, box.y + 36);
  const list = page.getByRole("complementary", { name: "Runs" });
  await expect.poll(() => list.getByRole("checkbox", { name: "Show sgd-3e-2" }).isChecked()).toBe(false);
  expect(await list.getByRole("checkbox", { name: "Show adam-1e-3" }).isChecked()).toBe(true);
});
