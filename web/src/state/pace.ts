// How often something may be asked again: at most once a second, and rarer when answers are slow.

const LEAST_MS = 1000;
// Asking takes at most a tenth of the time.
const REST = 9;

export class Pace {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running = false;
  private again = false;
  private notBefore = 0;
  private stopped = false;

  constructor(private readonly work: () => Promise<void>) {}

  // Runs the work soon; calls while it waits or runs are one call.
  ask(): void {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.timer ??= setTimeout(() => void this.run(), Math.max(0, this.notBefore - performance.now()));
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    this.timer = undefined;
    this.running = true;
    const began = performance.now();
    try {
      await this.work();
    } finally {
      const took = performance.now() - began;
      this.running = false;
      this.notBefore = began + Math.max(LEAST_MS, took * (REST + 1));
      if (this.again) {
        this.again = false;
        this.ask();
      }
    }
  }
}
