/** Something that has until a moment to be over. */
export type Timed = {
  /** Epoch of `performance.now()`, in milliseconds. */
  readonly due: number;
  giveUp(): void;
};

/** Milliseconds; how exactly a deadline is kept. */
const step = 50;

/**
 * Watches over what is under way with one timer for all: a timer of its own for each call, set and cleared thousands of
 * times a second, costs more than looking through the few that are open.
 */
export class Deadlines {
  readonly #open = new Set<Timed>();
  #timer: NodeJS.Timeout | undefined;

  watch(timed: Timed): void {
    this.#open.add(timed);
    this.#timer ??= setInterval(() => this.#look(), step).unref();
  }

  release(timed: Timed): void {
    this.#open.delete(timed);
  }

  #look(): void {
    const now = performance.now();
    for (const timed of this.#open) if (now >= timed.due) timed.giveUp();
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
