// The run list: ticks, groups, colours, notes, 300 runs, a drawer on phones; and the shell when a view fails.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { python } from "./recorded_runs";
import { Server } from "./server";
import { visitRuns } from "./visit";
import { phone, Visitor } from "./visitor";

const visit = visitRuns("#/scalars");
const hash = () => new URL(visit.visitor.page.url()).hash;
const list = () => visit.visitor.page.getByRole("complementary", { name: "Runs" });
const row = (name: string) => list().getByRole("button", { name, exact: true });

afterEach(async () => {
  await visit.visitor.page.keyboard.press("Escape");
  await visit.visitor.go("#/scalars");
});

test("a box takes a run out of the pictures, and a name looks at one run alone", async () => {
  await list().getByRole("checkbox", { name: "Show media", exact: true }).uncheck();
  await expect.poll(hash).toBe("#/scalars?runs=!media");
  await row("adam-warmup").click();
  await expect.poll(hash).toBe("#/scalars?runs=adam-warmup");
  expect(await list().getByRole("checkbox", { name: "Show adam-1e-3", exact: true }).isChecked()).toBe(false);
  await row("adam-warmup").click();
  await expect.poll(hash).toBe("#/scalars");
});

test("runs fall into groups by a hyperparameter, and a group is closed and unticked as one", async () => {
  await list().getByRole("combobox", { name: "Group:" }).selectOption("optimizer");
  const group = list().getByRole("button", { name: /^sgd\s*2$/ });
  await group.waitFor();
  await list().getByRole("checkbox", { name: "Show group sgd" }).uncheck();
  await expect.poll(hash).toBe("#/scalars?group=param:optimizer&runs=!sgd-3e-2,sgd-noclip");
  await group.click();
  expect(await group.getAttribute("aria-expanded")).toBe("false");
  expect(await row("sgd-3e-2").count()).toBe(0);
});

test("a colour that was chosen is the run's colour after a reload too", async () => {
  const dot = () => list().getByRole("button", { name: "Colour of media", exact: true });
  const color = () => dot().locator("span").evaluate((element) => getComputedStyle(element).backgroundColor);
  const before = await color();
  await dot().click();
  const palette = visit.visitor.page.getByRole("dialog", { name: "Colour of media" });
  await palette.getByRole("button", { pressed: false }).first().click();
  await expect.poll(color).not.toBe(before);
  const after = await color();
  await visit.visitor.page.reload();
  await visit.visitor.settled();
  await expect.poll(color).toBe(after);
  await dot().click();
  await palette.getByRole("button", { name: "Default" }).click();
  await expect.poll(color).toBe(before);
});

test("a note is Markdown, kept by the server, and gone when it is emptied", async () => {
  const { page } = visit.visitor;
  await row("torn").hover();
  await list().getByRole("button", { name: "Write a note on torn" }).click();
  const editor = page.getByRole("dialog", { name: "Note on torn" });
  await editor.getByRole("textbox").fill("the disk was **full** <img src=x onerror=alert(1)>");
  expect(await editor.locator("strong").innerText()).toBe("full");
  expect(await editor.locator("img").count()).toBe(0);
  await editor.getByRole("button", { name: "Save" }).click();
  await editor.waitFor({ state: "detached" });
  expect((await visit.server.ask<{ notes: Record<string, string> }>("preferences")).notes["torn"]).toContain("**full**");
  await page.reload();
  await visit.visitor.settled();
  await list().getByRole("button", { name: "Note on torn" }).click();
  await editor.getByRole("textbox").fill("");
  await editor.getByRole("button", { name: "Save" }).click();
  await list().getByRole("button", { name: "Write a note on torn" }).waitFor({ state: "attached" });
});

test("a view whose code does not arrive says so, and comes with Retry; the shell lives on", async () => {
  const visitor = await Visitor.arrive(visit.browser, `${visit.server.address}#/overview`);
  const { page } = visitor;
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.keyboard.press("8");
  await page.getByRole("main").getByText("The server did not send the code of this view").waitFor();
  await page.getByRole("complementary", { name: "Runs" }).getByText("8 of 8 runs").waitFor();
  await page.unroute("**/assets/*.js");
  await page.getByRole("button", { name: "Retry" }).click();
  await visitor.settled();
  expect(await page.getByRole("main").getByRole("alert").count()).toBe(0);
  await visitor.leave();
});

test("on a phone the runs are a drawer that opens over the view and closes again", async () => {
  const visitor = await Visitor.arrive(visit.browser, `${visit.server.address}#/scalars`, { size: phone });
  const { page } = visitor;
  const runs = page.getByRole("complementary", { name: "Runs" });
  expect(await runs.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Runs", exact: true }).click();
  await runs.getByRole("button", { name: "adam-1e-3", exact: true }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe("#/scalars?runs=adam-1e-3");
  expect(await visitor.sidewaysOverflow()).toBe(0);
  await visitor.takePicture("drawer-phone");
  await page.getByRole("button", { name: "Close the run list" }).click({ position: { x: 400, y: 300 } });
  await expect.poll(() => runs.isVisible()).toBe(false);
  visitor.expectQuiet();
  await visitor.leave();
});

test("of 300 runs the newest 40 are drawn until all are asked for, and only rows in sight exist", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tensortap-many-"));
  const directory = join(folder, "runs");
  const script = [
    "import sys, tensortap as tap",
    "for i in range(300):",
    "    with tap.Run(f'{sys.argv[1]}/sweep-{i:03}', tensorboard=False) as run: run.scalar('loss', 1 / (i + 1), step=i)",
  ].join("\n");
  execFileSync(python, ["-c", script, directory], { stdio: ["ignore", "inherit", "pipe"] });
  const server = await Server.start(directory, "--no-token");
  try {
    await server.loaded();
    const visitor = await Visitor.arrive(visit.browser, `${server.address}#/scalars`);
    const runs = visitor.page.getByRole("complementary", { name: "Runs" });
    await runs.getByText("300 of 300 runs").waitFor();
    await runs.getByText("The newest 40 are ticked.").waitFor();
    expect(await runs.locator("[data-row]").count()).toBeLessThan(60);
    await runs.getByRole("button", { name: "sweep-000", exact: true }).focus();
    for (let i = 0; i < 30; i++) await visitor.page.keyboard.press("PageDown");
    expect(await visitor.page.evaluate(() => document.activeElement?.textContent)).toBe("sweep-299");
    expect(await runs.getByRole("checkbox", { name: "Show sweep-299" }).isChecked()).toBe(true);
    await runs.getByRole("button", { name: "Tick all" }).click();
    await expect.poll(() => new URL(visitor.page.url()).hash).toBe("#/scalars?runs=all");
    visitor.expectQuiet();
    await visitor.leave();
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
