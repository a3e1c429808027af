// The connection: a server that goes away and comes back, with the same key and with another.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { python } from "./recorded_runs";
import { Server } from "./server";
import { openBrowser, Visitor } from "./visitor";

const folder = mkdtempSync(join(tmpdir(), "tensortap-connection-"));
const directory = join(folder, "runs");
let browser: Browser;
let port: string;
const started: Server[] = [];

async function start(...options: string[]): Promise<Server> {
  const server = await Server.start(directory, "--port", port, ...options);
  started.push(server);
  return server;
}

function record(name: string): void {
  const script = "import sys, tensortap as tap\nwith tap.Run(sys.argv[1]) as run: run.scalar('loss', 1.0, step=0)";
  execFileSync(python, ["-c", script, join(directory, name)], { stdio: ["ignore", "inherit", "pipe"] });
}

beforeAll(async () => {
  record("first");
  browser = await openBrowser();
  port = await new Promise<string>((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const at = probe.address();
      probe.close(() => resolve(String(typeof at === "object" ? at?.port : 0)));
    });
  });
});
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function loseServer(visitor: Visitor, server: Server): Promise<void> {
  await server.stop();
  await visitor.page.getByRole("status").filter({ hasText: "Reconnecting" }).waitFor();
  // What was read stays on the screen.
  await visitor.page.getByRole("complementary", { name: "Runs" }).getByText("1 of 1 run").waitFor();
}

test("a page asks once for the list of runs and the list of tags", async () => {
  const server = await start("--no-token");
  const visitor = await Visitor.arrive(browser, server.address);
  const asked: string[] = [];
  visitor.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await visitor.page.reload();
  await visitor.page.getByRole("main").locator("canvas").first().waitFor();
  await visitor.page.getByRole("status").filter({ hasText: "Up to date" }).waitFor();
  expect(asked.filter((path) => /\/api\/v1\/(runs|tags|status)$/.test(path)).sort()).toEqual(["/api/v1/runs", "/api/v1/status", "/api/v1/tags"]);
  await visitor.leave();
});

test("a server that comes back is found by itself, and what was missed is shown", async () => {
  const first = await start("--no-token");
  const visitor = await Visitor.arrive(browser, first.address);
  await loseServer(visitor, first);
  record("second");
  await start("--no-token");
  await visitor.page.getByRole("complementary", { name: "Runs" }).getByText("2 of 2 runs").waitFor({ timeout: 20_000 });
  await visitor.page.getByRole("status").filter({ hasText: /Up to date|Live/ }).waitFor();
  await visitor.leave();
  rmSync(join(directory, "second"), { recursive: true });
});

test("a server with a new key says to open the new address; then the old tab goes on", async () => {
  const first = await start();
  const visitor = await Visitor.arrive(browser, first.address);
  await loseServer(visitor, first);
  const again = await start();
  const words = visitor.page.getByRole("alert").filter({ hasText: "Open the new address" });
  await words.waitFor({ timeout: 20_000 });
  await visitor.takePicture("new-address-needed");
  await visitor.openTab(again.address);
  await visitor.page.bringToFront();
  await expect.poll(() => words.count(), { timeout: 20_000 }).toBe(0);
  await visitor.page.getByRole("status").filter({ hasText: /Up to date|Live/ }).waitFor();
  await visitor.leave();
});
