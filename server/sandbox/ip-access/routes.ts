import { type AddressRule, type CompiledRules, placeKinds, type RuleSet } from '../../../shared/rules/address-rules.ts';
import type { Caller } from '../auth/caller.ts';
import { allOf, type Need, view } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  boolean,
  date,
  filled,
  id,
  integer,
  list,
  object,
  orNull,
  pageQuery,
  partial,
  search,
  string,
  text,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { type Changing, keepRules, letsIn, pauseRules, permitPause, saveDraft, undoChange } from './change.ts';
import { addRule, changeRule, findPlace, moveRule, readValue, removeRule } from './rules.ts';
import { editDraft, readIpAccess } from './state.ts';
import { keptDays } from './uses.ts';
import { findShutOut } from './who.ts';

/** The reseller's own people with the settings. */
export const managesIpAccess: Need = allOf(view('settings'), {
  label: 'people of the reseller in person',
  isMet: ({ customerId, actorName }) => customerId === null && actorName === null,
});

/** Refuses people who are limited to certain customers: the rules concern everybody. @throws {CloudError} 404 */
async function permitUnlimited({ caller }: { readonly caller: Caller }): Promise<undefined> {
  if (caller.isLimited) throw notFound();
}

const does = { enum: ['Allow', 'Refuse'] } as const;
const hours = { enum: ['0', '1', '8', '24', '168'] } as const;
const pauses = { enum: ['1', '8', '24'] } as const;
const ruleBody = partial(
  { Address: filled(100), Does: does, Note: text(100), Hours: hours },
  ...(['Address', 'Does', 'Hours'] as const),
);
const termsBody = partial({ Does: does, Note: text(100), Hours: hours }, 'Does', 'Hours');
const settingsBody = partial({ On: boolean, Elsewhere: does, Admins: boolean }, 'Elsewhere');

const rule = object({
  RuleId: id,
  Position: integer,
  Name: string,
  Kind: { ...string, enum: ['Address', ...placeKinds] },
  Does: { ...string, ...does },
  Note: string,
  Until: orNull(date),
  Change: { ...string, enum: ['', 'New', 'Edited'] },
  IsReached: { ...boolean, description: 'False where rules above decide for all its addresses, or it is over.' },
});
const person = object({
  Id: string,
  Name: string,
  UserName: string,
  Address: string,
  Place: string,
  Days: integer,
  Last: date,
});

/** Files of places come anew each month or sooner; after so many days (two were missed) one is old. */
const freshDays = 60;

const settings = object({
  On: boolean,
  Elsewhere: { ...string, ...does },
  Admins: boolean,
  Rules: integer,
  Version: { ...string, description: 'Of what is being changed; it is saved under this.' },
  IsChanged: boolean,
  ChangedBy: string,
  Removed: { ...integer, description: 'Rules that hold and that the change leaves out.' },
  CanUndo: boolean,
  TrialUntil: orNull(date),
  IsOwnTrial: boolean,
  PausedUntil: orNull(date),
  Address: { ...string, description: 'From where the caller asks.' },
  Place: { ...string, description: 'Of that address; empty where it is not known.' },
  HasCountries: { ...boolean, description: 'True where rules can be about countries.' },
  HasCities: boolean,
  HasMobileNetworks: boolean,
  PlacesMade: { ...orNull(date), description: 'When the oldest file of places was made; null: there is none.' },
  ArePlacesOld: { ...boolean, description: `True where that was more than ${freshDays} days ago.` },
  PlaceRules: { ...integer, description: 'Rules about places of a kind.' },
  LostRules: { ...integer, description: 'Those of kinds that no file tells any more: they fit nobody.' },
  FitsNow: { ...string, description: 'The rule in force that fits this address; empty: none does.' },
  IsInNow: boolean,
  Fits: { ...string, description: 'The rule of those asked for that fits this address.' },
  IsIn: boolean,
});

const found = object({ Items: list(object({ Value: string, Name: string })), Total: integer });
/** Places that a search gives at most. */
const mostFound = 50;

const sets = ['draft', 'current'] as const;

/** How a rule differs from the one that holds. */
function changeOf(rule: AddressRule, before: ReadonlyMap<number, AddressRule>): '' | 'New' | 'Edited' {
  const held = before.get(rule.Id);
  if (!held) return 'New';
  return JSON.stringify(held) === JSON.stringify(rule) ? '' : 'Edited';
}
const byId = ({ Rules }: RuleSet): ReadonlyMap<number, AddressRule> => new Map(Rules.map(rule => [rule.Id, rule]));

/**
 * Adds the routes of IP access (document 2, section 7): rules are changed in a draft, which is judged by from where people
 * came, and saved as a whole.
 */
export function addIpAccessRoutes(app: App, { db, now, judges, places }: Parts): void {
  const route = routeAdder(app, db, { tags: ['ip-access'], needs: managesIpAccess, permit: permitUnlimited });
  const chosen = (name: string): (typeof sets)[number] => {
    const found = sets.find(one => one === name);
    if (!found) throw notFound();
    return found;
  };

  route('GET /api/IpLockdown/GetIpAccessSettings/:set', { reply: settings }, async ({ caller, params: { set } }) => {
    const { row, current, isChanged, ...found } = await readIpAccess(db, caller.resellerId);
    const asked = chosen(set) === 'draft' ? found.draft : current;
    const { address: Address = '' } = caller;
    // Ten thousand rules take a while to compile: each set once.
    const held = judges.compile(current);
    const drafted = asked === current ? held : judges.compile(asked);
    const tell = (set: RuleSet, rules: CompiledRules) => ({
      fits: rules.judge(Address).rule?.Name ?? '',
      isIn: letsIn(judges, set, caller, Address, () => rules),
    });
    const [inForce, inDraft] = [tell(current, held), tell(asked, drafted)];
    const kept = byId(found.draft);
    return {
      ...{ On: asked.On, Elsewhere: asked.Elsewhere, Admins: asked.Admins, Rules: asked.Rules.length },
      ...{ Version: String(row.draft_version), IsChanged: isChanged, ChangedBy: isChanged ? row.draft_author : '' },
      Removed: current.Rules.filter(({ Id }) => !kept.has(Id)).length,
      CanUndo: row.trial_until === null && (row.set_id ?? row.before_id) !== null,
      ...{ TrialUntil: row.trial_until, IsOwnTrial: row.trial_account === caller.accountId },
      ...{ PausedUntil: row.paused_until, Address },
      ...{
        Place: places.nameOf(Address),
        HasCountries: places.kinds.includes('Country'),
        HasCities: places.kinds.includes('City'),
        HasMobileNetworks: places.kinds.includes('MobileNetwork'),
        PlacesMade: places.made,
        ArePlacesOld: places.made !== null && now().getTime() - places.made.getTime() > freshDays * 86_400_000,
      },
      PlaceRules: asked.Rules.filter(({ Kind }) => Kind !== 'Address').length,
      LostRules: asked.Rules.filter(({ Kind }) => Kind !== 'Address' && !places.kinds.includes(Kind)).length,
      ...{ FitsNow: inForce.fits, IsInNow: inForce.isIn, Fits: inDraft.fits, IsIn: inDraft.isIn },
    };
  });

  const query = pageQuery({ search });
  const page = object({ Items: list(rule), Total: integer });
  route('GET /api/IpLockdown/rules', { query, reply: page }, async ({ caller, query }) => {
    const { current, draft } = await readIpAccess(db, caller.resellerId);
    const before = byId(current);
    const { unreached } = judges.compile(draft);
    const at = now().getTime();
    const words = query.search.trim().toLowerCase();
    const rows = draft.Rules.map((rule, index) => ({ rule, Position: index + 1 })).filter(({ rule: { Name, Note } }) =>
      `${Name} ${Note}`.toLowerCase().includes(words),
    );
    const first = (query.page - 1) * query.pageSize;
    return {
      Items: rows.slice(first, first + query.pageSize).map(({ rule, Position }) => ({
        ...{ RuleId: String(rule.Id), Position, Name: rule.Name, Kind: rule.Kind, Does: rule.Does, Note: rule.Note },
        ...{ Until: rule.Until, Change: changeOf(rule, before) },
        IsReached: !unreached.has(rule.Id) && (rule.Until === null || Date.parse(rule.Until) > at),
      })),
      Total: rows.length,
    };
  });

  const validated = object({ Name: string });
  route(
    'POST /api/IpLockdown/validateInputRule',
    { body: object({ Address: filled(100) }), reply: validated },
    ({ body }) => ({ Name: readValue(body).Name }),
  );
  route('POST /api/IpLockdown/rules', { body: ruleBody, once: true }, async ({ trx, caller, body }) => {
    await editDraft(trx, caller, draft => addRule(draft, readValue(body), body, now()));
    return 'The rule was added.';
  });
  route(
    'PUT /api/IpLockdown/rules/:ruleId',
    { body: ruleBody, once: true },
    async ({ trx, caller, params: { ruleId }, body }) => {
      await editDraft(trx, caller, draft =>
        changeRule(draft, ruleId, { subject: readValue(body), terms: body, now: now() }),
      );
      return 'The rule was changed.';
    },
  );
  for (const [path, kind] of [
    ['SearchCountry', 'Country'],
    ['SearchCity', 'City'],
    ['SearchMobileNetwork', 'MobileNetwork'],
  ] as const)
    route(`GET /api/IpLockdown/${path}`, { query: object({ search }), reply: found }, async ({ query }) => {
      const fitting = await places.search(kind, query.search);
      return { Items: fitting.slice(0, mostFound), Total: fitting.length };
    });
  route(
    'POST /api/IpLockdown/placeRules/:kind/:value',
    { body: termsBody, once: true },
    async ({ trx, caller, params: { kind, value }, body }) => {
      const place = await findPlace(places, kind, value);
      await editDraft(trx, caller, draft => addRule(draft, place, body, now()));
      return 'The rule was added.';
    },
  );
  route(
    'PUT /api/IpLockdown/rules/:ruleId/terms',
    { body: termsBody, once: true },
    async ({ trx, caller, params: { ruleId }, body }) => {
      await editDraft(trx, caller, draft => changeRule(draft, ruleId, { terms: body, now: now() }));
      return 'The rule was changed.';
    },
  );
  route('DELETE /api/IpLockdown/rules/:ruleId', { once: true }, async ({ trx, caller, params: { ruleId } }) => {
    await editDraft(trx, caller, draft => removeRule(draft, ruleId));
    return 'The rule was removed.';
  });
  for (const [way, by] of [
    ['up', -1],
    ['down', 1],
  ] as const)
    route(`POST /api/IpLockdown/rules/:ruleId/${way}`, { once: true }, async ({ trx, caller, params: { ruleId } }) => {
      await editDraft(trx, caller, draft => moveRule(draft, ruleId, by));
      return 'The rule was moved.';
    });
  route('PUT /api/IpLockdown/draft', { body: settingsBody, once: true }, async ({ trx, caller, body }) => {
    await editDraft(trx, caller, ({ Rules }) => ({
      ...{ On: body.On ?? false, Elsewhere: body.Elsewhere, Admins: body.Admins ?? false },
      Rules,
    }));
  });
  route('POST /api/IpLockdown/draft/discard', { once: true }, async ({ trx, caller }) => {
    const { current } = await readIpAccess(trx, caller.resellerId);
    await editDraft(trx, caller, () => current);
  });

  const days = (text: string): number => {
    if (!/^[1-9]\d?$/.test(text) || Number(text) > keptDays) throw notFound();
    return Number(text);
  };
  const outside = object({ Items: list(person), Out: integer, People: integer });
  route('GET /api/IpLockdown/who/:set/:days', { reply: outside }, async ({ caller, params }) => {
    const { current, draft } = await readIpAccess(db, caller.resellerId);
    const set = chosen(params.set) === 'draft' ? draft : current;
    return findShutOut({ db, judges, places }, caller, { set, days: days(params.days), now: now() });
  });

  const changing = ({ trx, caller }: Pick<Changing, 'trx' | 'caller'>): Changing => ({
    ...{ trx, caller, judges },
    ...{ address: caller.address ?? '', now: now() },
  });
  route(
    'POST /api/IpLockdown/SaveIpLockdownSetting/:version',
    { body: partial({ Confirmed: boolean }), reply: object({ TrialUntil: orNull(date) }), once: true },
    async ({ params: { version }, body, ...call }) => ({
      TrialUntil: await saveDraft(changing(call), { version, confirmed: body.Confirmed ?? false }),
    }),
  );
  route('POST /api/IpLockdown/keep', { once: true }, async call => {
    await keepRules(changing(call));
    return 'The rules stay.';
  });
  route('POST /api/IpLockdown/undo', { once: true }, async call => {
    await undoChange(changing(call));
    return 'The rules before are back.';
  });
  const permitted = object({ Out: integer, People: integer });
  route('GET /api/IpLockdown/validateTempDisable', { reply: permitted }, async ({ caller }) => {
    const held = await readIpAccess(db, caller.resellerId);
    permitPause(held);
    const { Out, People } = await findShutOut({ db, judges, places }, caller, {
      ...{ set: held.current, days: keptDays, now: now() },
    });
    return { Out, People };
  });
  const pauseBody = partial({ Hours: pauses }, 'Hours');
  route('POST /api/IpLockdown/pause', { body: pauseBody, once: true }, async ({ body: { Hours }, ...call }) => {
    await pauseRules(changing(call), new Date(now().getTime() + Number(Hours) * 3_600_000));
    return 'Everybody is let in until then.';
  });
  route('POST /api/IpLockdown/resume', { once: true }, async call => {
    await pauseRules(changing(call), null);
    return 'The rules count again.';
  });
}
