import { anyone, view } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, integer, list, object, orNull, partial, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { recordAccess } from '../roles/activity.ts';
import { countAdministrators, holdReseller } from '../roles/change.ts';
import { countApprovers } from './approvers.ts';
import { declarationOf, isKind, kindNames } from './kinds.ts';
import { permitOwnPeople } from './permit.ts';
import { readDemand, requireApproval } from './require.ts';

const demand = object({
  Kind: { ...string, enum: kindNames },
  On: boolean,
  HasNumber: { ...boolean, description: 'True where only acts wait that concern more than a number.' },
  Above: orNull(integer),
  Approvers: { ...integer, description: 'How many others could approve.' },
});
const body = partial(
  { On: boolean, Above: { type: 'integer', minimum: 1, maximum: 10_000, description: 'Where it has a number.' } },
  'On',
);

const tell = (above: number | undefined): string =>
  above === undefined ? 'Not demanded' : above === 0 ? 'Demanded' : `Demanded above ${above}`;

/** True where acts that wait now would not any more. */
const isEased = (before: number | undefined, after: number | undefined): boolean =>
  before !== undefined && (after === undefined || after > before);

/**
 * Adds the routes of the kinds of acts for which the reseller demands a second person. Making a demand weaker is itself
 * an act that waits.
 */
export function addDemandRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['approvals'], needs: anyone, permit: permitOwnPeople });

  route('GET /api/approval-demands', { reply: list(demand) }, ({ caller }) =>
    Promise.all(
      kindNames.map(async Kind => {
        const { permission, hasNumber } = declarationOf(Kind);
        const above = await readDemand(db, caller.resellerId, Kind);
        const Approvers = await countApprovers(db, caller, permission);
        return { Kind, On: above !== undefined, HasNumber: hasNumber, Above: above || null, Approvers };
      }),
    ),
  );

  route(
    'PUT /api/approval-demands/:kind',
    { needs: view('manageUsers'), body, once: true, mayWait: true },
    async ({ trx, caller, params: { kind }, body: { On, Above } }) => {
      const { resellerId } = caller;
      if (!isKind(kind)) throw notFound();
      await holdReseller(trx, resellerId);
      const { permission, hasNumber } = declarationOf(kind);
      if (On && hasNumber && Above === undefined) throw refuseField('Above', 'DemandNumber');
      const before = await readDemand(trx, resellerId, kind);
      const after = On ? (hasNumber ? Above : 0) : undefined;
      // Otherwise what waits would wait for ever, this included.
      const isAlone = (await countAdministrators(trx, resellerId)) < 2;
      if (On && before === undefined && (isAlone || (await countApprovers(trx, caller, permission)) === 0))
        throw refuseConflict('ApproverMissing');
      const demands = trx.deleteFrom('approval_demands').where('reseller_id', '=', resellerId);
      await demands.where('kind', '=', kind).execute();
      if (after !== undefined)
        await trx.insertInto('approval_demands').values({ reseller_id: resellerId, kind, above: after }).execute();
      const said = { before: { [kind]: tell(before) }, after: { [kind]: tell(after) } };
      await recordAccess(
        trx,
        { resellerId, caller, now: now() },
        { action: 'Approval demand changed', target: kind, ...said },
      );
      if (isEased(before, after))
        await requireApproval(trx, caller, { kind: 'DemandEased', count: 0 }, () => ({
          ...{ target: kind, names: [], price: null, before: tell(before), after: tell(after) },
        }));
      return 'The demand was saved.';
    },
  );
}
