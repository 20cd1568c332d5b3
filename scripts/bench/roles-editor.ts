import { join } from 'node:path';
import { type Principal, publicPrincipal } from '../../server/access/principal.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { compare } from '../../server/commands/roles/role-effects.ts';
import { type CloudRights, principalWith } from '../../server/commands/roles/role-rights.ts';
import { readFolder } from '../../server/layouts/index.ts';
import type { Measure } from './report.ts';

const kinds = ['screens', 'calls', 'fields', 'parts'] as const;

/**
 * Measures what a tick in the editor of roles takes at the server: the outlines of a role before and after it, and what
 * appears and vanishes between them. Each right is ticked off once in a role that has all others.
 */
export async function benchRolesEditor(root: string): Promise<Measure[]> {
  const { compiled, version } = await readFolder(join(root, 'schemas'), commandDeclarations);
  if (!compiled || !version) throw new Error('The schemas have errors.');
  const { views, permissions, features } = compiled.names;
  const author: Principal = {
    ...publicPrincipal,
    ...{ features: [...features], type: 'reseller', prices: true },
    facts: { ...publicPrincipal.facts, type: 'reseller' },
  };
  const all: CloudRights = { Views: [...views], Permissions: [...permissions], Prices: true };
  const tick = (rights: CloudRights): number => {
    const from = performance.now();
    const [before, after] = [all, rights].map(held => version.outline(principalWith(author, 'admin', held)));
    for (const kind of kinds) compare(before![kind], after![kind]);
    return performance.now() - from;
  };
  const without = (right: string): CloudRights => ({
    ...all,
    Views: all.Views.filter(name => name !== right),
    Permissions: all.Permissions.filter(name => name !== right),
  });
  // The first is slower, as that of any process.
  tick(all);
  const measured = [...all.Views, ...all.Permissions].map(right => tick(without(right))).sort((a, b) => a - b);
  const slowest = { measured: measured.at(-1)!, limit: 300, unit: 'ms' };
  const middle = { measured: measured[Math.floor(measured.length / 2)]!, limit: 100, unit: 'ms' };
  return [
    { what: 'a tick in the editor of roles, in the middle', ...middle },
    { what: 'a tick in the editor of roles, the slowest', ...slowest },
  ];
}
