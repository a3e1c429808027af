// Work that is spread over frames, so that twelve charts that change at once do not hold up the pointer.

const BUDGET_MS = 10;

export class FrameQueue {
  private readonly waiting = new Map<object, () => void>();
  private asked = false;

  constructor(
    private readonly nextFrame: (work: () => void) => void = (work) => void requestAnimationFrame(work),
    private readonly now: () => number = () => performance.now(),
  ) {}

  // Runs the work in one of the next frames. Newer work of the same owner takes the place of the older.
  add(owner: object, work: () => void): void {
    this.waiting.set(owner, work);
    this.ask();
  }

  drop(owner: object): void {
    this.waiting.delete(owner);
  }

  private ask(): void {
    if (this.asked || this.waiting.size === 0) return;
    this.asked = true;
    this.nextFrame(() => this.run());
  }

  private run(): void {
    this.asked = false;
    const began = this.now();
    for (const [owner, work] of this.waiting) {
      this.waiting.delete(owner);
      try {
        work();
      } finally {
        // What failed does not keep the others from being drawn.
        this.ask();
      }
      if (this.now() - began >= BUDGET_MS) return;
    }
  }
}

// All charts of the page.
export const frames = new FrameQueue();
