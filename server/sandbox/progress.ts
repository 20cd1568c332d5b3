/** Milliseconds between two lines about a start that takes long. */
export const pause = 10_000;

type Line = { readonly doing: string; readonly seconds: number };

/**
 * Says what a start is doing, at most every ten seconds, and nothing of a start that is quick. Whoever waits for a start
 * has no limit of time: how long it takes to fill a database is the machine's.
 */
export function createProgress(write: (line: Line) => void): {
  tell(doing: string): void;
  stop(): void;
} {
  const began = Date.now();
  let last = began;
  let doing = 'opening the database';
  const say = (): void => {
    last = Date.now();
    write({ doing, seconds: Math.round((last - began) / 1000) });
  };
  const timer = setInterval(say, pause);
  return {
    tell(next) {
      doing = next;
      // The embedded database keeps timers waiting while it works.
      if (Date.now() - last >= pause) say();
    },
    stop: () => clearInterval(timer),
  };
}
