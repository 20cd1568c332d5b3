import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { commandDeclarations } from '../../server/commands/index.ts';
import { readFolder, type Version } from '../../server/layouts/index.ts';
import type { UserType } from '../../shared/contract/boot.ts';
import { compiler } from '../fixtures/compiler.ts';
import { startPortal } from '../fixtures/portal.ts';
import { startSandbox } from '../fixtures/sandbox.ts';
import { someone } from '../fixtures/schemas.ts';

type Tree = { readonly [name: string]: unknown };

const chooses = new Set(['search', 'filter', 'day']);
const arranges = new Set(['toolbar', 'stack', 'columns']);

/** True for what shows or does something, and not only chooses what others show. */
function isContent(node: Tree): boolean {
  const type = String(node['type']);
  if (arranges.has(type))
    return [node['children'], node['end']].flat().some(inner => inner && isContent(inner as Tree));
  return type !== 'heading' && !chooses.has(type);
}

type Part = { readonly name: string; readonly children: readonly Tree[] };

/** The tabs, cards and documents of a layout. */
function partsOf(value: unknown): Part[] {
  if (value === null || typeof value !== 'object') return [];
  const { type, kind, title, id, children } = value as Tree;
  const isPart = Array.isArray(children) && !arranges.has(String(type)) && (type === 'card' || kind || title);
  const inner = Object.values(value).flatMap(partsOf);
  return isPart ? [{ name: `${type ?? kind ?? 'tab'} ${id ?? title}`, children }, ...inner] : inner;
}

test('no tab, card, screen or popup is left with nothing but a search or filter, whatever the caller lacks', async () => {
  const { compiled, version } = await readFolder('schemas', commandDeclarations, compiler);
  const { views, permissions, features } = compiled?.names ?? assert.fail('The schemas have errors.');
  let tabs = 0;
  const some = (names: ReadonlySet<string>) => fc.subarray([...names]);
  fc.assert(
    fc.property(
      fc.record({
        type: fc.constantFrom<UserType>('reseller', 'engineer', 'endUserAdmin', 'endUser', 'public', 'mustSign'),
        views: fc.oneof(fc.constant([...views]), some(views)),
        permissions: fc.oneof(fc.constant([...permissions]), some(permissions)),
        features: fc.oneof(fc.constant([...features]), some(features)),
        prices: fc.boolean(),
      }),
      rights => {
        const { screens, popups } = (version as Version).access(someone(rights));
        for (const { layout } of [...screens.values(), ...popups.values()]) {
          for (const { name, children } of partsOf(layout)) {
            assert.ok(children.some(isContent), `${layout.id}: ${name} has ${children.map(({ type }) => type)}`);
            if (name.startsWith('tab ')) tabs += 1;
          }
        }
      },
    ),
    {
      numRuns: 60,
      examples: [
        [
          {
            type: 'reseller',
            views: [...views],
            permissions: [...permissions],
            features: [...features].filter(name => name !== 'UseNewPSAService'),
            prices: true,
          },
        ],
      ],
    },
  );
  assert.ok(tabs > 0, 'no tab was seen');
});

test('who lacks the service behind a tab does not have the tab', async t => {
  const sandbox = await startSandbox();
  t.after(() => sandbox.close());
  const portal = await startPortal({ cloudUrl: sandbox.url });
  t.after(() => portal.close());
  const tabsOf = async (username: string): Promise<string[]> => {
    const caller = await portal.signIn(username);
    const { layout } = (await caller.get('/ui/screen?path=/billing/psa/report')).body;
    return partsOf(layout).flatMap(({ name }) => (name.startsWith('tab ') ? [name] : []));
  };
  const all = await tabsOf('reseller@northwind.test');
  assert.ok(all.includes('tab charges'), all.join());
  const rival = await tabsOf('rival@southridge.test');
  assert.deepEqual(rival, ['tab movement', 'tab reconciliation']);
});
