import type { Write } from '../tables.ts';
import type { Resource } from './declaration.ts';
import { untyped } from './rows.ts';
import { newColumns } from './writes.ts';

/** The seeded rows of a resource, as a part for `seed/parts.ts`. */
export function seedPart<R>(declared: Resource<R>) {
  const resource = declared as unknown as Resource;
  const { noun, table, owner, seed } = resource;
  if (seed === undefined) throw new Error(`Nothing is declared to seed a ${noun} with.`);
  return {
    name: seed.part,
    async insert(trx: Write, { now }: { readonly now: Date }): Promise<void> {
      for (const [name, rows] of Object.entries(seed.rows)) {
        const owned = await owner.seeded(trx, name);
        if (owned === undefined || rows.length === 0) continue;
        const values = rows.map(row => ({ ...newColumns(resource, row, now, undefined), ...owned }));
        await untyped(trx)
          .insertInto(table)
          .values(values)
          .onConflict(conflict => conflict.doNothing())
          .execute();
      }
    },
  };
}
