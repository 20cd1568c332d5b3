/** Work that is done again and again, one at a time. */
export type Work = {
  run(): Promise<void>;
  /** Ends what is running at its next pause. */
  stop?(): void;
  /** After the last run. */
  close?(): void;
};

/** Work that a timer repeats. */
export type Repeated = {
  /** Waits for what is running. */
  stop(): Promise<void>;
};

/**
 * Runs `work` again and again, never twice at once; `onError` gets what it throws.
 * @param milliseconds between two starts; 0: never
 */
export function every(milliseconds: number, work: () => Promise<void>, onError: (error: unknown) => void): Repeated {
  let running = Promise.resolve();
  let isBusy = false;
  const timer =
    milliseconds > 0 &&
    setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      running = work()
        .catch(onError)
        .finally(() => {
          isBusy = false;
        });
    }, milliseconds);
  return {
    async stop() {
      if (timer) clearInterval(timer);
      await running;
    },
  };
}
