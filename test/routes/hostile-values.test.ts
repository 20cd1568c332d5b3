import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { createLayouts, type Version } from '../../server/layouts/index.ts';
import type { Boot } from '../../shared/contract/boot.ts';
import { compiler } from '../fixtures/compiler.ts';
import { type Answer, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { areNoSecrets } from '../fixtures/secrets.ts';
import { setUp } from '../fixtures/set-up.ts';
import { accounts } from '../fixtures/sign-in.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
let version: Version;
let close: (() => Promise<void>) | undefined;
setUp(
  async () => {
    const layouts = await createLayouts({ dir: 'schemas', commands: commandDeclarations, watch: false, compiler });
    version = layouts.current();
    close = layouts.close;
  },
  () => close?.(),
);

/** Each is tried everywhere. */
const everywhere: readonly string[] = ['\0', '%'];
/** One of them is tried at each place, so that all are tried at many. */
const inTurn: readonly string[] = [
  ...['%00', '\ud800', '%c0%af/%2f', '__proto__', '1e400', '9'.repeat(18), '9'.repeat(40), '-1', '٣'],
  ...['2026-02-31', 'x/%/%25', '{"a":[1', '🚀'.repeat(300)],
];
areNoSecrets(inTurn);
const shapes: readonly unknown[] = [[], {}, [[]], { a: { b: 1 } }, true, 1e308, -0.5, 2 ** 53];

let turn = 0;
const next = <T>(all: readonly T[]): T => all[turn++ % all.length] as T;

// biome-ignore lint/suspicious/noExplicitAny: layouts are searched as they come
function* objectsIn(part: any): Generator<any> {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) yield part;
  for (const inner of Object.values(part)) yield* objectsIn(inner);
}

const failed: string[] = [];
/** Notes an answer that blames the portal or the cloud. */
const judge = (what: string, { status, text }: Answer): void => {
  if (status >= 500) failed.push(`${what}: ${status} ${text.slice(0, 160)}`);
};

test('no value of a parameter makes a read or a file fail', async () => {
  failed.length = 0;
  const client = await portal.signIn(accounts.reseller);
  let tried = 0;
  for (const [name, { with: rules = {} }] of version.operations)
    for (const route of ['data', 'downloads']) {
      const address = `/ui/${route}/${name}`;
      if ((await client.get(address)).status === 403) continue;
      for (const parameter of Object.keys(rules))
        for (const value of [...everywhere, next(inTurn)]) {
          const given = { ...Object.fromEntries(Object.keys(rules).map(key => [key, '10001'])), [parameter]: value };
          judge(
            `${name} ${parameter}=${JSON.stringify(value)}`,
            await client.get(`${address}?${new URLSearchParams(given)}`),
          );
          tried += 1;
        }
    }
  assert.ok(tried > 300, String(tried));
  assert.deepEqual(failed, []);
});

test('no parameter and no value of a form makes a call or a command fail, whatever its shape', async () => {
  failed.length = 0;
  let client = await portal.signIn(accounts.reseller);
  const boot: Boot = (await client.get('/ui/boot')).body;
  const pressed = new Set<string>();
  for (const hash of [...boot.routes.map(([, , hash]) => hash), ...Object.values(boot.popups)]) {
    const objects = [...objectsIn((await client.get(`/ui/layouts/${hash}`)).body)];
    const fields = objects.flatMap(({ propertyName }) => (typeof propertyName === 'string' ? [propertyName] : []));
    for (const { id, on } of objects)
      for (const effect of objectsIn(on)) {
        const name = effect.operation ?? effect.command;
        if ((effect.do !== 'call' && effect.do !== 'command') || typeof name !== 'string' || pressed.has(name))
          continue;
        pressed.add(name);
        const path = name.startsWith('auth.') ? `/auth/${name.slice(5)}` : `/ui/${effect.do}/${name}`;
        for (const value of [...everywhere, next(inTurn), next(shapes)]) {
          const all = (names: readonly string[]) => Object.fromEntries(names.map(key => [key, value]));
          const body = all([...fields, ...Object.keys(effect.body ?? {})].filter(field => !/password/i.test(field)));
          const answer = await client.post(path, {
            node: id,
            layout: hash,
            with: all(Object.keys(effect.with ?? {})),
            body,
          });
          judge(`${name} ${JSON.stringify(value)}`, answer);
          if (answer.status === 401 || answer.body?.Resources?.code === 'SESSION_CHANGED')
            client = await portal.signIn(accounts.reseller);
        }
      }
  }
  assert.ok(pressed.size > 60, String(pressed.size));
  assert.deepEqual(failed, []);
});
