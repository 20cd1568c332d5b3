type Run = (...given: never[]) => unknown;

/** Fails what runs now, if anything does. */
let fail: ((error: unknown) => void) | undefined;
const blame = (error: unknown): void => fail?.(error);

/** Gives `run` such that it fails, too, by what nobody catches while it runs. One at a time may run. */
export function blaming(run: Run): Run {
  return async (...given) => {
    const outer = fail;
    const uncaught = new Promise<never>((_, reject) => {
      fail = reject;
    });
    try {
      return await Promise.race([run(...given), uncaught]);
    } finally {
      fail = outer;
    }
  };
}

process.on('uncaughtException', blame);
process.on('unhandledRejection', blame);
