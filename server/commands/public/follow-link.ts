import type { Services } from '../../operations/services.ts';
import type { AuditRecord } from '../../store/audit.ts';
import { refuseOften, type Trace } from '../identity/refuse-often.ts';

/** Longer than any part of a link that the cloud makes. */
const longest = 200;

type Refused = { readonly kind: 'refused' };
const refused: Refused = { kind: 'refused' };

/** Outcomes of a link that works, but for one that was used before. */
const firstOutcomes: readonly string[] = ['done', 'stopped', 'resumed', 'kept'];

type Link<Outcome> = {
  /** As the audit calls it. */
  readonly action: string;
  readonly parts: readonly string[];
  readonly ask: () => Promise<Outcome>;
  /** Said in the audit besides. */
  readonly detail?: AuditRecord['detail'];
};

/**
 * Asks the cloud what a link does. Parts that are too long to be of one are refused like any other, an address that tries
 * many has to wait, and what worked does not count. Throws TOO_MANY and what the cloud's failures are.
 */
export async function followLink<Outcome extends { readonly kind: string }>(
  { attempts, audit }: Pick<Services, 'attempts' | 'audit'>,
  trace: Trace & { readonly address: string },
  { action, parts, ask, detail }: Link<Outcome>,
): Promise<Outcome | Refused> {
  const { address } = trace;
  if (!(await attempts.admitLink(address))) return await refuseOften({ audit }, trace, action);
  const outcome = parts.some(part => part.length > longest) ? refused : await ask();
  const isFirst = firstOutcomes.includes(outcome.kind);
  if (isFirst) await attempts.forgiveLink(address);
  await audit({
    action,
    outcome: outcome.kind === 'refused' ? 'refused' : 'done',
    ...trace,
    detail: { first: isFirst, ...detail },
  });
  return outcome;
}
