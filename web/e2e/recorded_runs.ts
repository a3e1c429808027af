// RecordedRuns: the log directories that the tests look at, made before them by tests/e2e/record_runs.py.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    runs: string; // the log directory
    hostile: string; // one whose names and texts try to run in the page
    truth: string; // a JSON file: what tap.open reads of `runs`
    scratch: string; // a directory for what servers keep
  }
}

export const repository = fileURLToPath(new URL("../..", import.meta.url));
export const python = join(repository, ".venv/bin/python");

// E2E_RUNS names a directory in which they are kept, for those who run the tests again and again.
export default function setUp(project: TestProject): () => void {
  const kept = process.env["E2E_RUNS"];
  const folder = kept ?? mkdtempSync(join(tmpdir(), "tensortap-e2e-"));
  const [runs, hostile, truth] = ["runs", "hostile", "truth.json"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  if (!existsSync(truth)) {
    const script = join(repository, "tests/e2e/record_runs.py");
    execFileSync(python, [script, runs, "--hostile", hostile, "--truth", truth], { stdio: ["ignore", "inherit", "pipe"] });
  }
  project.provide("runs", runs);
  project.provide("hostile", hostile);
  project.provide("truth", truth);
  const scratch = mkdtempSync(join(tmpdir(), "tensortap-e2e-scratch-"));
  project.provide("scratch", scratch);
  return () => {
    rmSync(scratch, { recursive: true, force: true });
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  };
}
