import type { Outline, Outlined } from '../../layouts/index.ts';
import { ask } from '../../operations/ask.ts';
import type { PortalRequest } from '../portal-answer.ts';
import { afterTicks, type CloudRights, heldBy, union, within } from './role-rights.ts';
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
  readonly may: readonly string[];
  readonly mayNot: readonly string[];
};

/** A role, a person, or nobody yet: a role that is being made. */
async function readSubject(asked: PortalRequest): Promise<Subject> {
  const { role, user, choices } = asked.parameters;
  if (role !== undefined) {
    const { UserType, May, MayNot, ...rights } = await ask(asked, 'roles.get', { roleId: role });
    return { userType: String(UserType), rights, may: May, mayNot: MayNot };
  }
  if (user !== undefined) {
    const { UserType, All } = await ask(asked, 'roles.access', { user });
    return { userType: String(UserType), rights: All, may: [], mayNot: [] };
  }
  // The kind of user is chosen beside the boxes; an engineer until then.
  const userType = new URLSearchParams(String(choices ?? '')).get('UserType') ?? 'admin';
  return { userType, rights: nothing, may: [], mayNot: [] };
}

/** The boxes of the form, by the names of their rights. */
const readBoxes = (written: unknown): Readonly<Record<string, boolean>> =>
  Object.fromEntries([...new URLSearchParams(String(written ?? ''))].map(([name, value]) => [name, value === 'true']));

async function rightsAfter(asked: PortalRequest, subject: Subject, held: CloudRights): Promise<CloudRights> {
  const { adds, single, user, choices } = asked.parameters;
  if (adds !== undefined) return union(subject.rights, await ask(asked, 'roles.get', { roleId: adds }));
  const boxes = readBoxes(choices);
  if (single !== true) return afterTicks(subject.rights, boxes, held);
  // A person's own rights stand beside those of the roles.
  const { Roles, Views, Permissions, Prices } = await ask(asked, 'roles.access', { user });
  const roles = await Promise.all(Roles.map(({ RoleId }) => ask(asked, 'roles.get', { roleId: RoleId })));
  return roles.reduce<CloudRights>(union, afterTicks({ Views, Permissions, Prices }, boxes, held));
}

/**
 * Tells what some rights come to in the documents as they are now, and what appears and vanishes against what a role or
 * a person has (`compare`: against nothing). `adds` names a role that is given besides; `single` says that boxes are of what
 * a person holds besides roles. Only rights that the caller holds are tried out; `Hidden` is how many others
 * there are, which stay as they are.
 */
export async function roleEffects(asked: PortalRequest) {
  const { principal } = asked.caller;
  const held = heldBy(principal);
  const subject = await readSubject(asked);
  const after = within(await rightsAfter(asked, subject, held), held);
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
