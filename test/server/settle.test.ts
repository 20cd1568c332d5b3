import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { settle } from '../../server/warm-up.ts';

setFlagsFromString('--allow-natives-syntax');
const haveSameShape = new Function('one', 'other', 'return %HaveSameMap(one, other)') as (
  a: object,
  b: object,
) => boolean;

/** What one call of `process.nextTick` puts into its queue. */
function queueTick(): object {
  let tick: object = {};
  const hook = createHook({
    init(_id, _type, _trigger, resource) {
      tick = resource;
    },
  });
  hook.enable();
  process.nextTick(() => undefined);
  hook.disable();
  return tick;
}

test('what a settled process keeps has the shape of what is queued for a tick', async () => {
  const kept = await settle();
  assert.ok(kept);
  assert.ok(haveSameShape(kept, queueTick()));
  assert.ok(!haveSameShape(kept, {}));
});
