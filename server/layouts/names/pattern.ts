import { readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { createPattern } from '../../../shared/rules/pattern.ts';
import type { PatternTest } from '../../../shared/rules/validation.ts';

/** Milliseconds of the processor for one test of a pattern, and for all tests of one form. */
const oneTest = 50;
const allTests = 150;
/** Longer values are refused unread. */
const longestValue = 65_536;
const longestPattern = 500;
const remembered = 1000;
const mostRounds = 10;

// The expression is data of a fixed script: the same V8 RegExp as in the browser, which here can be stopped.
const context = createContext(Object.assign(Object.create(null), { expression: undefined, value: '' }), {
  codeGeneration: { strings: false, wasm: false },
});
const script = new Script('expression.test(value)');
const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  let expression = expressions.get(pattern);
  if (!expression) {
    expression = createPattern(pattern);
    if (expressions.size >= remembered) expressions.clear();
    expressions.set(pattern, expression);
  }
  return expression;
}

const cpuTime = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

/**
 * Milliseconds of processor time of this thread alone: other threads of the process compile and collect garbage while a
 * test waits for the processor. Where the system does not tell (only Linux does), those of the whole process.
 */
function threadTime(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return cpuTime({ user: 0, system: 0 });
  }
}

/**
 * Tests a value against a regular expression from a document in bounded time; an invalid pattern and one that runs out
 * of time match nothing. The limit is by wall clock, so on a busy machine a test is repeated until one has had the
 * processor for half of it. `timeout`: milliseconds of one round.
 */
export function testPattern(pattern: string, value: string, timeout = oneTest): boolean {
  if (pattern.length > longestPattern || value.length > longestValue) return false;
  // Reading the time costs more than most tests, so that it is read once a test was late.
  let before = Number.POSITIVE_INFINITY;
  for (let round = 0; round < mostRounds; round++) {
    try {
      context.expression = expressionOf(pattern);
      context.value = value;
      return script.runInContext(context, { timeout }) === true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
      const now = threadTime();
      if (now - before > timeout / 2) return false;
      before = now;
    } finally {
      context.value = '';
    }
  }
  return false;
}

/** Says why a text is no regular expression; undefined when it is one. */
export function wrongInPattern(pattern: string): string | undefined {
  try {
    createPattern(pattern);
    return undefined;
  } catch (error) {
    return `Not a regular expression: ${(error as Error).message}.`;
  }
}

/** Creates the pattern test for the check of one form: all its slow patterns together have a limit of time. */
export function createPatternTest(): PatternTest {
  let left = allTests;
  return (pattern, value) => {
    if (left < 1) return false;
    const started = process.cpuUsage();
    const matches = testPattern(pattern, value, Math.min(oneTest, Math.ceil(left)));
    left -= cpuTime(started);
    return matches;
  };
}
