// Live: what a training adds is on the screen within seconds, without a reload, over one stream per browser.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { python, repository } from "./recorded_runs";
import { Server } from "./server";
import { openBrowser, Visitor } from "./visitor";

let server: Server;
let browser: Browser;
let directory: string;
let writer: ChildProcess;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "tensortap-live-"));
  server = await Server.start(directory, "--no-token");
  browser = await openBrowser();
});
afterAll(async () => {
  writer?.kill("SIGKILL");
  await browser?.close();
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const startWriter = async () => {
  writer = spawn(python, [join(repository, "tests/e2e/live_run.py"), directory], { stdio: ["ignore", "pipe", "inherit"] });
  await once(writer.stdout as NodeJS.ReadableStream, "data");
};

test("a run that begins is in the list, and its curves grow, without a reload", async () => {
  const visitor = await Visitor.arrive(browser, server.address);
  await startWriter();
  const began = Date.now();
  await visitor.page.getByText("live", { exact: true }).first().waitFor({ timeout: 4000 });
  expect(Date.now() - began).toBeLessThan(4000);
  await visitor.go("#/scalars");
  await visitor.page.getByRole("heading", { name: /loss/ }).first().waitFor();
  const points = () => server.ask<{ runs: { points: number }[] }>("runs").then((answer) => answer.runs[0]?.points ?? 0);
  const before = await points();
  const drawn = () => visitor.page.getByRole("main").locator("canvas").first().evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const picture = await drawn();
  const asked = visitor.page.waitForResponse((response) => response.url().includes("/api/v1/scalars"), { timeout: 3000 });
  await asked;
  await expect.poll(drawn, { timeout: 2500 }).not.toBe(picture);
  expect(await points()).toBeGreaterThan(before);
  visitor.expectQuiet();
  await visitor.takePicture("live");
  await visitor.leave();
});

test("two tabs of a browser share one live stream, and the second takes over when the first is closed", async () => {
  const visitor = await Visitor.arrive(browser, server.address);
  const second = await visitor.openTab(server.address);
  await visitor.settled(second);
  await second.waitForTimeout(700);
  expect(visitor.liveStreams.size).toBe(1);
  for (const page of [visitor.page, second]) {
    await page.waitForResponse((response) => /\/api\/v1\/(runs|scalars|latest|tags)/.test(response.url()), { timeout: 4000 });
  }
  await visitor.page.close();
  await expect.poll(() => visitor.liveStreams.size, { timeout: 6000 }).toBe(1);
  await second.waitForResponse((response) => /\/api\/v1\/(runs|scalars|latest|tags)/.test(response.url()), { timeout: 6000 });
  visitor.expectQuiet();
  await visitor.leave();
});

test("a training that is interrupted is said to have failed, without a reload", async () => {
  const visitor = await Visitor.arrive(browser, server.address);
  const row = visitor.page.getByRole("main").getByRole("row").filter({ hasText: "live" });
  await row.getByText("live", { exact: true }).last().waitFor();
  writer.kill("SIGINT");
  await once(writer, "exit");
  await row.getByText("failed", { exact: true }).waitFor({ timeout: 4000 });
  visitor.expectQuiet();
  await visitor.leave();
});
