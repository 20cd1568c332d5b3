import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Principal, partnerSystems, publicPrincipal } from '../../server/access/principal.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { type Access, createLayouts, type Version } from '../../server/layouts/index.ts';
import type { UserType } from '../../shared/contract/boot.ts';
import { type PortalCall, portalCalls } from '../../shared/language/operation.ts';
import type { Effect, Operation } from '../../shared/language/types.ts';
import { compiler } from '../fixtures/compiler.ts';
import { type Client, type StartedPortal, startPortal, testDomain } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { accounts } from '../fixtures/sign-in.ts';

const schemas = join(import.meta.dirname, '../../schemas');
const signedIn = ['reseller', 'engineer', 'endUserAdmin', 'endUser', 'withoutAccess', 'mustSign'] as const;
const roles = ['public', ...signedIn] as const;
type Role = (typeof roles)[number];
/** What the portal asks on its own, whoever calls. */
const ownCalls =
  /^\/(?:auth\/|api\/(?:users\/login-user|permissions|account-settings\/display|partner-systems|notifications\/negotiate|agreements\/reseller-validity|whitelabel\/getLoginUserWhiteLabel|comms\/logout))/;

let closeLayouts: () => Promise<void>;
/** Requests that reached the cloud for a caller. */
const reached: string[] = [];
const clients = new Map<Role, Client>();
const accesses = new Map<Role, Access>();
const clientOf = (role: Role): Client => clients.get(role) as Client;
const accessOf = (role: Role): Access => accesses.get(role) as Access;

const cloud = withSandbox();
let recorder: Server;
let portal: StartedPortal;
let version: Version;
setUp(
  async () => {
    // A call of the business system is nobody's while its flag is off.
    const flags = cloud.db.updateTable('feature_flags');
    await flags.set({ enabled: true }).where('name', '=', 'PSADataCaching').execute();
    // So is the status page of the cloud while everybody has that of the portal.
    const { id } = await cloud.db
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', accounts.engineer)
      .executeTakeFirstOrThrow();
    const override = { account_id: id, feature_name: 'NewStatusPage', enabled: false };
    await cloud.db.insertInto('feature_overrides').values(override).execute();
    recorder = await record(cloud.url);
    const cloudUrl = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
    portal = await startPortal({ cloudUrl, chatUrl: cloud.liveChatUrl() });
    const options = { dir: schemas, commands: commandDeclarations, watch: false, compiler, domain: testDomain };
    const layouts = await createLayouts(options);
    closeLayouts = layouts.close;
    version = layouts.current();
    for (const role of roles) {
      clients.set(role, role === 'public' ? portal.client() : await portal.signIn(accounts[role]));
      accesses.set(role, version.access(role === 'public' ? publicPrincipal : await principalOf(role)));
    }
  },
  async () => {
    await portal?.close();
    recorder?.close();
    await closeLayouts?.();
  },
);

/** Stands between the portal and the cloud, and writes down what passes. */
function record(target: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (!ownCalls.test(path)) reached.push(`${incoming.method} ${path}`);
    const { method, headers } = incoming;
    const onward = httpRequest(new URL(path, target), { method, headers }, reply => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** The rights of an account, as the cloud itself keeps them. */
async function principalOf(role: Exclude<Role, 'public'>): Promise<Principal> {
  const token = await cloud.signIn(accounts[role]);
  const { body: rights } = await cloud.call(token, 'GET', '/api/permissions');
  const { body: display } = await cloud.call(token, 'GET', '/api/account-settings/display');
  if (role === 'mustSign') return { ...publicPrincipal, type: role, facts: { ...publicPrincipal.facts, type: role } };
  const { usersPermissions, featureFlags } = rights.Result;
  const { body: linked } = await cloud.call(token, 'GET', '/api/partner-systems');
  const systems = partnerSystems.filter(
    name => linked.Result?.find(({ slug }: { slug: string }) => slug === name)?.linked === true,
  );
  // None of these has a mailbox user of another kind to switch to.
  const views = usersPermissions.views.filter((view: string) => view !== 'switchUser');
  const type: UserType = role === 'withoutAccess' ? 'engineer' : role;
  return {
    ...publicPrincipal,
    ...usersPermissions,
    views,
    type,
    features: featureFlags
      .filter((flag: { enabled: boolean }) => flag.enabled)
      .map((flag: { featureName: string }) => flag.featureName),
    ...(['reseller', 'engineer'].includes(type) && systems.length > 0 && { systems }),
    prices: type === 'reseller' || display.Result.HidePricing === false,
    facts: { ...publicPrincipal.facts, type },
  };
}

type Press = { readonly layout: string; readonly node: string };

/** All presses of each role with their effects as text; searched for each operation and command. */
let presses: readonly (readonly (Press & { readonly effects: string })[])[] | undefined;

/**
 * Of each role that may call something, one press that does: the best forgery there is. Others of that role differ in the
 * name of a layout or node alone, which is as little the caller's.
 */
function pressesOf(kind: 'call' | 'command', name: string): readonly Press[] {
  const wanted = `"do":"${kind}","${kind === 'call' ? 'operation' : 'command'}":"${name}"`;
  presses ??= [...accesses.values()].map(({ byHash }) =>
    [...byHash.values()].flatMap(({ hash, nodes }) =>
      [...nodes].flatMap(([id, node]) => {
        const { on } = node as { on?: Readonly<Record<string, readonly Effect[]>> };
        return on ? [{ layout: hash, node: id, effects: JSON.stringify(on) }] : [];
      }),
    ),
  );
  return presses.flatMap(ofRole => {
    const press = ofRole.find(({ effects }) => effects.includes(wanted));
    return press ? [{ layout: press.layout, node: press.node }] : [];
  });
}

const parametersOf = (operation: string): Record<string, string> =>
  Object.fromEntries(Object.keys(version.operations.get(operation)?.with ?? {}).map(name => [name, '10001']));

for (const role of roles) {
  const refusal = role === 'public' ? 401 : 403;

  for (const [what, route, own, ask] of [
    ['read', '/ui/data', 'reads', 'get'],
    ['file', '/ui/downloads', 'files', 'file'],
  ] as const) {
    test(`${role}: every ${what} outside of its layouts is refused and never reaches the cloud`, async () => {
      let refused = 0;
      for (const operation of version.operations.keys()) {
        reached.length = 0;
        if (accessOf(role)[own].has(operation)) {
          const { status } = await clientOf(role)[ask](`${route}/${operation}`);
          assert.notEqual(status, refusal, operation);
          continue;
        }
        refused += 1;
        const query = new URLSearchParams(parametersOf(operation));
        const { status } = await clientOf(role)[ask](`${route}/${operation}?${query}`);
        assert.deepEqual([status, ...reached], [refusal], operation);
      }
      assert.ok(refused > 0);
    });
  }

  test(`${role}: every call outside of its layouts is refused and never reaches the cloud, whatever node it names`, async () => {
    let refused = 0;
    for (const operation of version.operations.keys()) {
      if (accessOf(role).writes.has(operation)) continue;
      refused += 1;
      reached.length = 0;
      for (const press of [...pressesOf('call', operation), { layout: 'none', node: 'none' }]) {
        const answer = await clientOf(role).post(`/ui/call/${operation}`, {
          ...press,
          with: parametersOf(operation),
          body: {},
        });
        const call = encodeURIComponent(JSON.stringify({ ...press, with: parametersOf(operation) }));
        const headers = { 'content-type': 'text/csv', 'x-portal-call': call };
        const file = await clientOf(role).post(`/ui/uploads/${operation}`, undefined, headers);
        assert.deepEqual([answer.status, file.status], [refusal, refusal], `${operation} by ${press.node}`);
      }
      assert.deepEqual(reached, [], operation);
    }
    assert.ok(refused > 0);
  });

  test(`${role}: every command outside of its layouts is refused and never reaches the cloud`, async () => {
    let refused = 0;
    for (const name of version.commands.keys()) {
      if (accessOf(role).commands.has(name)) continue;
      refused += 1;
      reached.length = 0;
      const address = name.startsWith('auth.') ? `/auth/${name.slice(5)}` : `/ui/command/${name}`;
      for (const press of [...pressesOf('command', name), { layout: 'none', node: 'none' }]) {
        const answer = await clientOf(role).post(address, { ...press, with: {}, body: {} });
        assert.equal(answer.status, refusal, `${name} by ${press.node}`);
      }
      assert.deepEqual(reached, [], name);
    }
    assert.ok(refused > 0);
  });

  test(`${role}: reads exactly the layouts that are its own`, async () => {
    const all = new Set([...accesses.values()].flatMap(access => [...access.byHash.keys()]));
    assert.ok(all.size > 0);
    for (const hash of all) {
      const { status } = await clientOf(role).get(`/ui/layouts/${hash}`);
      assert.equal(status, accessOf(role).byHash.has(hash) ? 200 : 404, hash);
    }
  });
}

test('every operation and every command that is declared is in the layouts of somebody, or asked by one that is', () => {
  const pressed = [...accesses.values()].flatMap(({ commands }) => [...commands.keys()]);
  const run = new Set(pressed.flatMap(name => [name, ...(version.commands.get(name)?.runs ?? [])]));
  const read = [...accesses.values()].flatMap(({ reads, files, writes }) => [
    ...[...reads.keys(), ...files.keys(), ...writes.keys()],
  ]);
  const used = new Set<string>([
    ...read,
    ...[...version.commands.values()].flatMap(({ name, asks = [] }) => (run.has(name) ? asks : [])),
    ...read.flatMap(name => {
      const { service, method, path, hostedPage } = version.operations.get(name) as Operation;
      if (hostedPage) return [hostedPage];
      return service === 'portal' ? portalCalls[`${method} ${path}` as PortalCall] : [];
    }),
  ]);
  // A delivered node reaches its operations through its commands.
  const delivered = /^(?:forms|popups)\./;
  assert.deepEqual(
    [...version.operations.keys()].filter(name => !used.has(name) && !delivered.test(name)),
    [],
  );
  assert.deepEqual(
    [...version.commands.keys()].filter(name => !run.has(name)),
    [],
  );
});

test('every feature flag shows what needs it when it is on, and what needs its absence when it is off', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'portal-flags-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await cp(schemas, dir, { recursive: true });
  const { features } = JSON.parse(await readFile(join(dir, 'access.json'), 'utf8')) as { features: string[] };
  const file = join(dir, 'customers/customers.json');
  const document = JSON.parse(await readFile(file, 'utf8')) as { children: unknown[] };
  const text = { type: 'text', text: 'customers.title' };
  for (const flag of features) {
    document.children.push({ ...text, testId: `on-${flag}`, requires: { features: [flag] } });
    document.children.push({ ...text, testId: `off-${flag}`, requires: { not: { features: [flag] } } });
  }
  await writeFile(file, JSON.stringify(document));
  const layouts = await createLayouts({ dir, commands: commandDeclarations, watch: false, compiler });
  t.after(() => layouts.close());
  const reseller = await principalOf('reseller');
  const shows = (held: readonly string[], id: string): boolean => {
    const screen = layouts
      .current()
      .access({ ...reseller, features: held })
      .screens.get('/customers');
    return screen?.bytes.includes(`"${id}"`) ?? false;
  };
  assert.ok(features.length > 10);
  for (const flag of features) {
    const others = features.filter(other => other !== flag);
    for (const held of [[], others]) {
      assert.deepEqual([shows(held, `on-${flag}`), shows(held, `off-${flag}`)], [false, true], flag);
      assert.deepEqual([shows([...held, flag], `on-${flag}`), shows([...held, flag], `off-${flag}`)], [true, false]);
    }
  }
});
