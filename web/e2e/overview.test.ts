// Overview: the main curves and what each run reached, without a click.
import { expect, test } from "vitest";
import { number, percent, seconds } from "../src/charts/numbers";
import { lastOf, scalarsOf } from "./truth";
import { visitRuns } from "./visit";

const visit = visitRuns();
const trained = ["adam-1e-3", "adam-warmup", "sgd-3e-2", "sgd-noclip"];
const cell = (run: string, column: string) =>
  visit.visitor.page.evaluate(
    ([name, title]) => {
      const table = document.querySelector('[aria-label="Runs"][role=region] table');
      const heads = [...(table?.querySelectorAll("thead th") ?? [])].map((head) => head.textContent?.trim());
      const row = [...(table?.querySelectorAll("tbody tr") ?? [])].find((each) => each.querySelector("td")?.textContent?.trim() === name);
      return row?.querySelectorAll("td")[heads.indexOf(title)]?.textContent?.trim();
    },
    [run, column] as const,
  );

test("loss and accuracy come first", async () => {
  const titles = await visit.visitor.page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents();
  expect(titles.slice(0, 2).map((title) => title.trim())).toEqual(["loss", "accuracy"]);
});

test("the table of runs says what was recorded", async () => {
  for (const run of trained) {
    expect(await cell(run, "Last train loss"), run).toBe(number(lastOf(run, "train/loss")));
    const best = Math.max(...scalarsOf(run, "val/accuracy").value);
    expect(await cell(run, "Best val accuracy"), run).toBe(percent(best, 1));
    expect(await cell(run, "Step"), run).toBe("250");
    expect(await cell(run, "State"), run).toBe("ended");
  }
  expect(await cell("damaged", "Damaged places")).toBe("1");
});

test("what recording took stands in the table, and below the list of runs for all of them", async () => {
  const { page } = visit.visitor;
  const answer = (await (await page.request.get(`${visit.server.address}api/v1/runs`)).json()) as { runs: { name: string; caller_seconds: number | null; worker_seconds: number | null }[] };
  let all = 0;
  for (const { name, caller_seconds: caller, worker_seconds: worker } of answer.runs) {
    all += (caller ?? 0) + (worker ?? 0);
    if (!trained.includes(name)) continue;
    expect(caller).toBeGreaterThan(0);
    expect(await cell(name, "Recording took"), name).toContain(seconds((caller ?? 0) + (worker ?? 0)));
  }
  expect(await cell("tensorboard", "Recording took")).toBe("\u2013");
  expect(await page.locator("dl div").filter({ hasText: "Recording took" }).locator("dd").innerText()).toContain(seconds(all));
});

test("every NaN of the exploded run is counted below the loss", async () => {
  const bad = ["train/loss", "val/loss"].flatMap((tag) => scalarsOf("sgd-noclip", tag).value).filter(Number.isNaN).length;
  const first = scalarsOf("sgd-noclip", "train/loss").step[scalarsOf("sgd-noclip", "train/loss").value.findIndex(Number.isNaN)];
  await visit.card("loss").getByText(`${bad} NaN from ${first}`).waitFor();
});

test("a click on a column sorts the runs by it, and the address remembers", async () => {
  const { page } = visit.visitor;
  const names = async () => (await page.locator('[aria-label="Runs"][role=region] tbody tr td:first-child').allTextContents()).map((name) => name.trim());
  await page.getByRole("columnheader", { name: "Best val accuracy" }).getByRole("button").click();
  expect((await names()).slice(0, 2)).toEqual(["adam-1e-3", "sgd-3e-2"]);
  await expect.poll(() => page.url()).toContain("sort=");
  await page.reload();
  await visit.visitor.settled();
  expect((await names())[0]).toBe("adam-1e-3");
});

test("a click on a run's name shows that run alone, and all of them again", async () => {
  const { page } = visit.visitor;
  const list = page.getByRole("complementary", { name: "Runs" });
  await list.getByRole("button", { name: "adam-1e-3", exact: true }).click();
  await visit.visitor.settled();
  expect(await list.getByRole("checkbox", { name: "Show sgd-3e-2" }).isChecked()).toBe(false);
  expect(await visit.card("loss").getByRole("application").getAttribute("aria-label")).toMatch(/^loss: 1 run, /);
  await page.keyboard.press("Escape");
  await page.locator("body").click({ position: { x: 700, y: 20 } });
  await page.keyboard.press("a");
  await expect.poll(() => list.getByRole("checkbox", { name: "Show sgd-3e-2" }).isChecked()).toBe(true);
});
