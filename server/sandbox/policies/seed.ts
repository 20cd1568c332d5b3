import type { Insertable } from 'kysely';
import type { Tables, Write } from '../tables.ts';
import { companyPolicies } from './company-policies.ts';
import { dataProtection } from './data-protection-policy.ts';
import type { Policy, PolicyPart } from './policy.ts';
import { privacy } from './privacy-policy.ts';

type Section = Omit<Insertable<Tables['policy_sections']>, 'position' | 'policy_id'>;

const policies: readonly Policy[] = [privacy, ...companyPolicies, dataProtection];

/** Makes numbered sections from titles and paragraphs: "2." is the second title, "2.1" its first paragraph. */
export function numberSections(parts: readonly PolicyPart[]): Section[] {
  return parts.flatMap(([title, ...content], index): Section[] => {
    const number = index + 1;
    const anchor = title.toLowerCase().replace(/[^a-z]+/g, '-');
    const head = { type: 2, content: title, content_label: `${number}.` };
    let paragraph = 0;
    const below = content.map(item => {
      if (item === 'custom') return { type: 1, content: '' };
      if (typeof item === 'string') return { type: 3, content: item, content_label: `${number}.${++paragraph}` };
      if ('sub' in item) return { type: 4, content: item.sub, nesting_level: 3 };
      return { type: 5, content: item.join('|'), nesting_level: 2 };
    });
    return [{ ...head, anchor_value: anchor, anchor_text: title }, ...below];
  });
}

/** Inserts the policies and links of the footer, in its order. */
export async function insertPolicies(trx: Write): Promise<void> {
  for (const [position, { id, title, parts }] of policies.entries()) {
    const isNew = await trx
      .insertInto('policies')
      .values({ id, title, position })
      .onConflict(known => known.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!isNew) continue;
    const rows = numberSections(parts).map((section, position) => ({ ...section, policy_id: id, position }));
    await trx.insertInto('policy_sections').values(rows).execute();
  }
}
