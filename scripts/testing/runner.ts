import asyncHooks from 'node:async_hooks';

/**
 * node:test follows every promise of the process to the test that made it, to find the test of an error that nobody
 * catches. That costs up to a seventh of the processor time; one test at a time runs here, so `blaming` knows. What is
 * followed still is what a suite declares, which finds its suite by it.
 */
let followed: asyncHooks.AsyncHook | undefined;
let isDeclaring = false;

const { createHook } = asyncHooks;
asyncHooks.createHook = options => {
  const hook = createHook(options);
  followed = hook;
  if (isDeclaring) hook.enable();
  return { enable: () => hook, disable: () => hook };
};
/** node:test, which takes its hook when it is loaded. */
export const runner = process.getBuiltinModule('node:test');
asyncHooks.createHook = createHook;

/** Runs `declare`, which declares a suite and what is in it. */
export function declaring(declare: () => void): void {
  isDeclaring = true;
  followed?.enable();
  try {
    declare();
  } finally {
    isDeclaring = false;
    followed?.disable();
  }
}
