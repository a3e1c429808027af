// The token: who has the printed address sees the page, and nobody else does.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Server } from "./server";
import { openBrowser, Visitor } from "./visitor";

let server: Server;
let browser: Browser;
beforeAll(async () => {
  server = await Server.start(inject("runs"));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test("the printed address opens the page and loses its token on the way", async () => {
  expect(new URL(server.address).searchParams.get("token")).toMatch(/^[\w-]{20,}$/);
  const visitor = await Visitor.arrive(browser, server.address);
  expect(visitor.page.url()).not.toContain("token");
  await visitor.page.reload();
  await visitor.settled();
  await visitor.page.getByText("adam-1e-3").first().waitFor();
  expect(await visitor.page.evaluate(() => document.cookie)).toBe(""); // HttpOnly
  visitor.expectQuiet();
  await visitor.leave();
});

test("without the token neither the page's data nor the page are given", async () => {
  for (const path of ["/", "/api/v1/status", "/api/v1/runs", "/api/v1/events"]) {
    const answer = await fetch(`${server.origin}${path}`, { redirect: "manual" });
    expect(answer.status, path).toBe(401);
    expect(await answer.text()).not.toContain("adam-1e-3");
  }
  const wrong = await fetch(`${server.origin}/api/v1/runs`, { headers: { Authorization: "Bearer wrong" } });
  expect(wrong.status).toBe(401);
});

test("a program gets the data with the token in a header", async () => {
  const token = new URL(server.address).searchParams.get("token") ?? "";
  const answer = await server.ask<{ runs: { name: string }[] }>("runs", { Authorization: `Bearer ${token}` });
  expect(answer.runs.map((run) => run.name)).toContain("adam-1e-3");
});

test("SIGTERM ends the server with exit code 0 while a page is open", async () => {
  const other = await Server.start(inject("runs"));
  const visitor = await Visitor.arrive(browser, other.address);
  expect(await other.stop()).toBe(0);
  await visitor.leave();
});
