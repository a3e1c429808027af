// Server: the real `tensortap serve`, started for a test and stopped after it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inject } from "vitest";
import { repository } from "./recorded_runs";

const program = process.env["TENSORTAP_PROGRAM"] ?? join(repository, ".venv/bin/tensortap");

export class Server {
  private constructor(
    private readonly process: ChildProcess,
    readonly address: string, // as it was printed, with the token if there is one
    private readonly output: () => string,
  ) {}

  static async start(directory: string, ...options: string[]): Promise<Server> {
    const page = process.env["TENSORTAP_UI_DIR"];
    const port = options.includes("--port") ? [] : ["--port", "0"];
    const all = ["serve", directory, ...port, ...options, ...(page ? ["--ui-dir", page] : [])];
    // Pins, notes and the index cache of whoever runs the tests stay as they are.
    const own = { TENSORTAP_CONFIG_DIR: inject("scratch"), TENSORTAP_CACHE_DIR: inject("scratch") };
    const child = spawn(program, all, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...own } });
    let output = "";
    const address = await new Promise<string>((resolve, reject) => {
      const listen = (piece: Buffer) => {
        output += piece.toString();
        const found = /http:\/\/\S+/.exec(output);
        if (found) resolve(found[0]);
      };
      child.stdout.on("data", listen);
      child.stderr.on("data", listen);
      child.on("exit", (code) => reject(new Error(`tensortap serve ended with ${code}: ${output}`)));
      child.on("error", reject);
    });
    return new Server(child, address, () => output);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get origin(): string {
    return new URL(this.address).origin;
  }

  // What it has printed so far.
  get printed(): string {
    return this.output();
  }

  // One route of the API, as JSON.
  async ask<Answer>(route: string, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await fetch(`${this.origin}/api/v1/${route}`, { headers });
    if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }

  // Waits until everything that was in the directory is read.
  async loaded(): Promise<this> {
    for (;;) {
      if (!(await this.ask<{ loading: boolean }>("status")).loading) return this;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  // SIGTERM; the exit code.
  async stop(): Promise<number | null> {
    if (this.process.exitCode !== null) return this.process.exitCode;
    const ended = once(this.process, "exit");
    this.process.kill("SIGTERM");
    const [code] = await ended;
    return code as number | null;
  }
}
