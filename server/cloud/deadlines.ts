/** Something that has until a moment to be over. */
export type Timed = {
  /** Epoch of `performance.now()`, in milliseconds. */
  readonly due: number;
  /** Where it stands among what is watched; kept by `Deadlines` alone. */
  place: number;
  giveUp(): void;
};

/** Milliseconds; how exactly a deadline is kept. */
const step = 50;

/**
 * Watches over what is under way with one timer for all: a timer of its own for each call, set and cleared thousands of
 * times a second, costs more than looking through the few that are open. They stand in a list, as V8's sets, where so
 * much comes and goes, keep each other and what was in them alive until the next full collection.
 */
export class Deadlines {
  readonly #open: Timed[] = [];
  #timer: NodeJS.Timeout | undefined;

  watch(timed: Timed): void {
    timed.place = this.#open.push(timed) - 1;
    this.#timer ??= setInterval(() => this.#look(), step).unref();
  }

  /** What is not watched any more is let be. */
  release(timed: Timed): void {
    const open = this.#open;
    if (open[timed.place] !== timed) return;
    const last = open.pop() as Timed;
    if (last === timed) return;
    last.place = timed.place;
    open[timed.place] = last;
  }

  #look(): void {
    const now = performance.now();
    // From the end, as giving up takes one away and puts the last in its place.
    for (let place = this.#open.length - 1; place >= 0; place--) {
      const timed = this.#open[place];
      if (timed && now >= timed.due) timed.giveUp();
    }
    if (this.#open.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
