// Keyboard: everything can be reached without a pointer, and the address reproduces what is seen.
import { expect, test } from "vitest";
import { Visitor } from "./visitor";
import { visitRuns } from "./visit";

const visit = visitRuns();
const hash = () => new URL(visit.visitor.page.url()).hash;

test("/ filters the runs by a regular expression; a bad one keeps the last good result", async () => {
  const { page } = visit.visitor;
  const list = page.getByRole("complementary", { name: "Runs" });
  await page.keyboard.press("/");
  await page.keyboard.type("^adam");
  await list.getByText("2 of 8 runs").waitFor();
  await page.keyboard.type("(");
  await expect.poll(() => list.locator('input[aria-invalid="true"]').count()).toBe(1);
  await list.getByText("2 of 8 runs").waitFor();
  await page.keyboard.press("Backspace");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^adam-/);
  await page.keyboard.press("/");
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await list.getByText("8 of 8 runs").waitFor();
  await page.keyboard.press("Escape");
});

test("? lists the keys that work, and Escape closes the list", async () => {
  const { page } = visit.visitor;
  await page.locator("h1").first().evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard help" });
  await help.waitFor();
  for (const words of ["Filter runs", "All runs"]) await help.getByText(words).first().waitFor();
  await visit.visitor.takePicture("help");
  await page.keyboard.press("Escape");
  await expect.poll(() => help.isVisible()).toBe(false);
});

test("Ctrl K jumps to a view, a tag, a step", async () => {
  const { page } = visit.visitor;
  const jump = async (words: string) => {
    await page.keyboard.press("Control+K");
    const box = page.getByRole("combobox", { name: /Jump to/ });
    await box.waitFor();
    await box.fill(words);
    await page.getByRole("listbox", { name: "Found" }).getByRole("option").first().waitFor();
    if (words === "network") await visit.visitor.takePicture("jump");
    await page.keyboard.press("Enter");
  };
  await jump("network");
  await expect.poll(hash).toMatch(/^#\/network/);
  await jump("#100");
  await expect.poll(hash).toContain("step=100");
  await visit.visitor.settled();
});

test("numbers open views, brackets and arrows move along recorded steps", async () => {
  const { page } = visit.visitor;
  await page.keyboard.press("2");
  await expect.poll(hash).toMatch(/^#\/scalars/);
  await page.keyboard.press("3");
  await expect.poll(hash).toMatch(/^#\/network/);
  await visit.visitor.settled();
  await page.keyboard.press("]");
  await expect.poll(hash).toContain("step=105");
  await page.keyboard.press("[");
  await page.keyboard.press("[");
  await expect.poll(hash).toContain("step=95");
  await page.getByRole("slider", { name: "Step", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(hash).toContain("step=100");
  await page.keyboard.press("End");
  await expect.poll(hash).not.toContain("step=");
});

test("T switches the theme, and the choice outlives a reload", async () => {
  const { page } = visit.visitor;
  const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
  await page.keyboard.press("t");
  await expect.poll(theme).toBe("dark");
  await page.reload();
  await visit.visitor.settled();
  expect(await theme()).toBe("dark");
  await page.keyboard.press("t");
  await expect.poll(theme).toBe("light");
});

test("the whole page can be walked through with Tab, and the focus is always to be seen", async () => {
  const { page } = visit.visitor;
  await visit.visitor.go("#/scalars");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const seen = new Set<string>();
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press("Tab");
    const where = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return "";
      const box = element.getBoundingClientRect();
      const name = element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 30) ?? "";
      return `${element.tagName} ${name} ${Math.round(box.width)}x${Math.round(box.height)}`;
    });
    seen.add(where);
    expect(where).not.toMatch(/ 0x0$/);
  }
  expect(seen.size).toBeGreaterThan(40);
});

test("a link shows in another browser what it was copied from", async () => {
  const address = `${visit.server.origin}/#/network?of=gradients&stat=std&scale=linear&step=100`;
  const other = await Visitor.arrive(visit.browser, address);
  await other.page.getByRole("img", { name: /of gradients of adam-1e-3:/ }).waitFor();
  expect(await other.page.getByRole("button", { name: "Gradients", exact: true }).getAttribute("aria-pressed")).toBe("true");
  expect(await other.page.getByRole("slider", { name: "Step", exact: true }).getAttribute("aria-valuenow")).toBe("100");
  expect(other.page.url()).toBe(address);
  other.expectQuiet();
  await other.leave();
});

test("the address is short: what is as it starts is not in it", async () => {
  await visit.visitor.go("#/scalars");
  for (const view of ["overview", "scalars", "network", "tensors", "files"]) {
    await visit.visitor.go(`#/${view}`);
    expect(hash().length, hash()).toBeLessThan(60);
  }
});
