import { createHook } from 'node:async_hooks';
import { Session } from 'node:inspector/promises';

/** What `process.nextTick` makes of a call; one of them, kept for its shape. */
let tick: object | undefined;

/**
 * Holds on to one entry of the queue of ticks. An HTTP server queues several for each request, with V8's memory of how
 * such an entry is built; a full collection at a moment without one drops their shape, and V8 then builds each anew by
 * its slowest way for as long as the process lives: some 2 µs in every request (V8, DefineKeyedOwnPropertyInLiteral).
 */
function keepShapeOfTicks(): void {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') tick = resource;
    },
  });
  hook.enable();
  process.nextTick(() => undefined);
  hook.disable();
}

/** Gives back what only the start needed: some 30 MB, which V8 would keep until a long while without a request. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

/**
 * Runs once a process has started, for a tenth of a second: frees the memory of the start without making later requests
 * slower (see `keepShapeOfTicks`). Gives an object that the caller must keep.
 */
export async function settle(): Promise<object | undefined> {
  keepShapeOfTicks();
  await collectGarbage();
  return tick;
}
