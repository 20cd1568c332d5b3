import { accessWidens, roleWidens } from '../../../shared/rules/widening.ts';
import type { Outline, Outlined } from '../../layouts/index.ts';
import { ask } from '../../operations/ask.ts';
import { textOf } from '../../operations/text-of.ts';
import type { PortalRequest } from '../portal-answer.ts';
import { afterTicks, type CloudRights, heldBy, namesOf, ownAfter, union, within } from './role-rights.ts';
import { runRoleTest, testsOf } from './role-tests.ts';
import { tryOut } from './try-out.ts';

/** Most rows that are told of each kind. */
const most = 300;
const nothing: CloudRights = { Views: [], Permissions: [], Prices: false };
const emptyOutline: Outline = { screens: new Map(), calls: new Map(), fields: new Map(), parts: new Map() };

/** Somebody whose rights are tried out: these as they are now, and the tests that they are to pass. */
type Subject = {
  readonly userType: string;
  readonly rights: CloudRights;
  /** How many have the role. */
  readonly people: number;
  readonly may: readonly string[];
  readonly mayNot: readonly string[];
};

/** A role, a person, or nobody yet: a role that is being made. */
async function readSubject(asked: PortalRequest): Promise<Subject> {
  const { role, user, choices } = asked.parameters;
  if (role !== undefined) {
    const { UserType, May, MayNot, People, ...rights } = await ask(asked, 'roles.get', { roleId: role });
    return { userType: String(UserType), rights, people: People, may: May, mayNot: MayNot };
  }
  if (user !== undefined) {
    const { UserType, All } = await ask(asked, 'roles.access', { user });
    return { userType: String(UserType), rights: All, people: 0, may: [], mayNot: [] };
  }
  // The kind of user is chosen beside the boxes; an engineer until then.
  const userType = new URLSearchParams(String(choices ?? '')).get('UserType') ?? 'admin';
  return { userType, rights: nothing, people: 0, may: [], mayNot: [] };
}

/** Reads the choices of the form: its boxes by the names of their rights, and last days. */
const readForm = (written: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...new URLSearchParams(String(written ?? ''))].map(([name, value]) => [
      name,
      value === 'true' || value === 'false' ? value === 'true' : value,
    ]),
  );

/** The rights of a subject after a change, and whether a second person may have to approve it. */
type Change = { readonly rights: CloudRights; readonly widens: boolean };

async function changeOf(asked: PortalRequest, subject: Subject, held: CloudRights): Promise<Change> {
  const { adds, single, user, choices, lasting } = asked.parameters;
  const form = { ...readForm(choices), ...readForm(lasting) };
  if (user !== undefined && (adds !== undefined || single === true)) return changeOfPerson(asked, form, held);
  const rights = afterTicks(subject.rights, form, held);
  return { rights, widens: roleWidens(subject.people, namesOf(subject.rights), namesOf(rights)) };
}

/** A person gets the role `adds`, until the day that the form says, or other rights besides the roles, which stay. */
async function changeOfPerson(
  asked: PortalRequest,
  form: Readonly<Record<string, unknown>>,
  held: CloudRights,
): Promise<Change> {
  const { adds, user } = asked.parameters;
  const { UserType, Version, All, Roles, Ends, ...own } = await ask(asked, 'roles.access', { user });
  const readRole = async (roleId: unknown, until: unknown) => {
    const { Views, Permissions, Prices } = await ask(asked, 'roles.get', { roleId });
    return { roleId, until: textOf(until) || null, rights: { Views, Permissions, Prices } };
  };
  const roles = await Promise.all(Roles.map(({ RoleId, Until }) => readRole(RoleId, Until)));
  const after =
    adds === undefined
      ? { roles, ...ownAfter({ ...own, Ends }, form, held) }
      : {
          roles: [...roles.filter(({ roleId }) => roleId !== adds), await readRole(adds, form.Until)],
          ...ownAfter({ ...own, Ends }, {}, held),
        };
  const accessOf = (given: typeof roles, rights: CloudRights, ends: typeof after.ends) => ({
    roles: given.map(role => ({ until: role.until, rights: namesOf(role.rights) })),
    own: namesOf(rights),
    ends: ends.map(({ Right, Until }) => ({ right: Right, until: Until })),
  });
  const before = accessOf(roles, own, ownAfter({ ...own, Ends }, {}, held).ends);
  const person = { userType: String(UserType), held: Version === 0 ? [] : namesOf(All) };
  return {
    rights: after.roles.map(role => role.rights).reduce<CloudRights>(union, after.rights),
    widens: accessWidens(person, before, accessOf(after.roles, after.rights, after.ends)),
  };
}

/**
 * Tells what some rights come to in the documents as they are now, and what appears and vanishes against what a role or
 * a person has (`compare`: against nothing). `adds` names a role that is given besides; `single` says that boxes are of what
 * a person holds besides roles. Only rights that the caller holds are tried out; `Hidden` is how many others
 * there are, which stay as they are. `Widens`: the cloud may demand that a second person approves the change.
 */
export async function roleEffects(asked: PortalRequest) {
  const { principal } = asked.caller;
  const held = heldBy(principal);
  const subject = await readSubject(asked);
  const { rights, widens } = await changeOf(asked, subject, held);
  const after = within(rights, held);
  const outlineOf = (rights: CloudRights) => tryOut(asked, subject.userType, rights);
  const isCompared = asked.parameters.compare !== 'nothing';
  const now = isCompared ? await outlineOf(within(subject.rights, held).seen) : emptyOutline;
  const then = await outlineOf(after.seen);
  const tests = testsOf(subject.may, subject.mayNot).map(test => ({
    ...{ Key: `${test.may} ${test.what}`, What: test.what, May: test.may },
    Result: runRoleTest(test, then, after.hidden === 0),
  }));
  /** Against nothing all appears, which would say nothing. */
  const tell = (kind: keyof Outline) => {
    const { Items, ...counts } = compare(now[kind], then[kind]);
    return { ...counts, Items: isCompared ? Items : Items.map(({ Change: _, ...item }) => item) };
  };
  return {
    Hidden: after.hidden,
    Widens: widens,
    IsCompared: isCompared,
    Screens: openable(tell('screens'), asked),
    Calls: tell('calls'),
    Fields: tell('fields'),
    Parts: tell('parts'),
    Tests: tests,
  };
}

/** Says of each screen whether the caller can open it as it is. */
function openable<I extends { readonly Key: string }, C extends { readonly Items: readonly I[] }>(
  { Items, ...counts }: C,
  { caller: { access } }: PortalRequest,
) {
  const mine = new Set(access.patterns);
  return {
    ...counts,
    Items: Items.map(item => ({ ...item, Openable: mine.has(item.Key) && !item.Key.includes('{') })),
  };
}

/** Tells what appears and vanishes between two outlines of one kind; the counts are of all, whatever is told. */
export function compare(before: ReadonlyMap<string, Outlined>, after: ReadonlyMap<string, Outlined>) {
  const only = (these: typeof before, those: typeof before, Change: 'Appears' | 'Vanishes') =>
    [...these].flatMap(([Key, { name, detail }]) =>
      those.has(Key) ? [] : [{ Key, Name: name, Detail: detail, Change }],
    );
  const appear = only(after, before, 'Appears');
  const vanish = only(before, after, 'Vanishes');
  return {
    All: after.size,
    Appear: appear.length,
    Vanish: vanish.length,
    Items: [...vanish, ...appear].slice(0, most),
  };
}
