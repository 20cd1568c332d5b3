import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Client, readOwnLayouts, type StartedPortal, withClient, withPortal } from '../fixtures/portal.ts';
import { findPostgres, freshDatabase, startPostgres } from '../fixtures/postgres.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withStarted } from '../fixtures/set-up.ts';

const binaries = findPostgres();

/** Every JSON Schema in an OpenAPI document, of parameters and media types. */
function schemasIn(value: unknown): object[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'schema' ? [inner as object] : name === 'schemas' ? Object.values(inner as object) : schemasIn(inner),
  );
}

/** Two processes on one database are what only PostgreSQL can do. */
if (binaries !== undefined) {
  let passed = 0;
  afterEach(() => {
    passed = 0;
  });
  const sandbox = withSandbox({ now: () => new Date(Date.now() + passed) });
  const proxy = withRecordingProxy(sandbox);
  const database = withStarted(
    'The database of two portals',
    async () => {
      const postgres = await startPostgres(binaries);
      const { url, drop } = await freshDatabase(postgres.url);
      return { url, close: () => drop().finally(postgres.stop) };
    },
    ({ close }) => close(),
  );
  const options = () => ({ env: { DATABASE_URL: database.url, TRUSTED_PROXIES: '127.0.0.1' } });
  const one = withPortal(proxy, options);
  const other = withPortal(proxy, options);
  const reseller = withClient(one, 'reseller@northwind.test');

  const screen = '/account-setting/api-access';
  const make = async (operations: string[], more: Record<string, unknown> = {}, who: Client = reseller) =>
    who.press(`${screen}/new`, 'new-api-key', 'command:manage-api.register', {
      body: { Name: randomUUID(), Days: '30', Addresses: '', Operations: operations.join('\n'), ...more },
    });
  const keyFor = async (operations: string[], more?: Record<string, unknown>): Promise<string> => {
    const { body } = await make(operations, more);
    const made = body.Result as { Key: string } | undefined;
    return made?.Key ?? assert.fail(JSON.stringify(body));
  };
  const idOf = async (key: string): Promise<number> => {
    const hash = createHash('sha256').update(key).digest('base64url');
    return (await sandbox.db.selectFrom('api_keys').select('id').where('hash', '=', hash).executeTakeFirstOrThrow()).id;
  };
  const drop = () => sandbox.db.deleteFrom('api_keys').execute();
  afterEach(drop);

  type Asked = {
    readonly method?: string;
    readonly body?: unknown;
    readonly from?: string;
    readonly at?: StartedPortal;
  };
  /** Asks as a program does: with the key, and without anything of a browser. */
  async function ask(key: string, path: string, { method = 'GET', body, from, at = one }: Asked = {}) {
    const reply = await fetch(`${at.url}/api/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'idempotency-key': randomUUID(),
        ...(from !== undefined && { 'x-forwarded-for': from }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
    return { status: reply.status, headers: reply.headers, body: JSON.parse(text) as any };
  }

  test('a key opens what it was made for and nothing else, cut to what its creator sees, and sets no cookie', async () => {
    const key = await keyFor(['customers.list']);
    const { status, body, headers } = await ask(key, 'customers.list?pageSize=2');
    assert.equal(status, 200, JSON.stringify(body));
    const seen = await reseller.get('/ui/data/customers.list?pageSize=2');
    assert.deepEqual(body, seen.body);
    assert.equal(headers.get('set-cookie'), null);
    proxy.exchanges.length = 0;
    for (const [path, method] of [
      ['users.list?customerId=10001', 'GET'],
      ['customers.list', 'POST'],
      ['manageApi.keys', 'GET'],
      ['none', 'GET'],
    ] as const) {
      const refused = await ask(key, path, { method });
      assert.deepEqual([refused.status, refused.body.Resources.code], [403, 'NOT_PERMITTED'], path);
    }
    assert.ok(!proxy.exchanges.some(({ url }) => /customers|ManageApi/.test(url)));
  });

  test('a key gives the files that its creator may have, as they are, and refuses in words', async () => {
    const key = await keyFor(['agreements.download', 'customers.list']);
    const { AgreementId } = (await reseller.get('/ui/data/agreements.list?status=all')).body.Result.Items[0];
    const at = `${one.url}/api/v1/files/agreements.download?agreementId=${AgreementId}`;
    const reply = await fetch(at, { headers: { authorization: `Bearer ${key}` } });
    assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, 'application/pdf']);
    assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; filename/);
    assert.match(await reply.text(), /^%PDF-/);
    assert.equal((await fetch(at)).status, 401);
    const none = await ask(key, 'files/agreements.download?agreementId=99999999');
    assert.ok(none.status >= 400 && none.body.Succeed === false, JSON.stringify(none.body));
    const { body } = await ask(key, 'openapi.json');
    assert.deepEqual(Object.keys(body.paths['/files/agreements.download'].get.responses[200].content), [
      'application/pdf',
    ]);
    for (const path of ['files/customers.list', 'files/psa.reportFile', 'agreements.download'])
      assert.equal((await ask(key, path)).status, 403, path);
  });

  test('a key acts once for each key of a press, by the rules of the form, and the audit says by which key', async () => {
    const key = await keyFor(['customers.rename', 'customers.list']);
    const all = (await readOwnLayouts()).current().operations;
    assert.ok(all.has('customers.rename'));
    const wrong = await ask(key, 'customers.rename?customerId=10001', { method: 'POST', body: { NewName: '' } });
    assert.deepEqual([wrong.status, wrong.body.Resources.code], [422, 'FIELDS_INVALID']);
    const more = await ask(key, 'customers.rename?customerId=10001', {
      method: 'POST',
      body: { NewName: 'A', Other: 1 },
    });
    assert.equal(more.status, 422);
    const name = `Renamed ${randomUUID().slice(0, 8)}`;
    const done = await ask(key, 'customers.rename?customerId=10001', { method: 'POST', body: { NewName: name } });
    assert.equal(done.body.Succeed, true, JSON.stringify(done.body));
    assert.equal(done.body.effects, undefined);
    const records = await one.store.run(db => db.selectFrom('audit').select(['device', 'account', 'action']).execute());
    const id = await idOf(key);
    assert.ok(
      records.some(({ device, account }) => device === `API key ${id}` && account === 'reseller@northwind.test'),
    );
    assert.ok(records.some(({ action }) => action === 'keys.created'));
  });

  test('unknown, malformed, expired and revoked keys, and those from elsewhere or of a disabled account, are answered alike', async () => {
    const answers: unknown[] = [];
    const note = async (key: string, from?: string) => {
      const { status, body } = await ask(key, 'customers.list', { ...(from !== undefined && { from }) });
      answers.push([status, body.Error, body.Resources.code]);
    };
    await note(`portal_${randomBytes(32).toString('base64url')}`);
    await note('nonsense');
    const here = await keyFor(['customers.list'], { Addresses: '192.0.2.0/24, 2001:db8::/32' });
    assert.equal((await ask(here, 'customers.list', { from: '192.0.2.9' })).status, 200);
    assert.equal((await ask(here, 'customers.list', { from: '2001:db8::9' })).status, 200);
    await note(here, '198.51.100.1');
    const over = await keyFor(['customers.list']);
    passed = 31 * 86_400_000;
    await note(over);
    passed = 0;
    const account = sandbox.db.updateTable('accounts').where('username', '=', 'reseller@northwind.test');
    await account.set({ enabled: false }).execute();
    await note(over);
    await account.set({ enabled: true }).execute();
    await drop();
    await note(over);
    assert.deepEqual(new Set(answers.map(answer => JSON.stringify(answer))).size, 1, JSON.stringify(answers));
    assert.deepEqual((answers[0] as unknown[])[0], 401);
    const bad = await make(['customers.list'], { Addresses: '999.1.1.1' });
    assert.equal(bad.body.Succeed, false);
    assert.match(JSON.stringify(bad.body.Errors), /no address or network/);
  });

  test('keys that are no good are bounded by network over both processes, and hold up no key that was good', async () => {
    const from = '203.0.113.77';
    const unknown = () => `portal_${randomBytes(32).toString('base64url')}`;
    const [used, fresh, elsewhere] = [
      await keyFor(['customers.list']),
      await keyFor(['customers.list']),
      await keyFor(['customers.list'], { Addresses: '192.0.2.0/24' }),
    ];
    assert.equal((await ask(used, 'customers.list', { from })).status, 200);
    const statuses: number[] = [];
    for (let n = 0; n < 36; n++)
      statuses.push((await ask(unknown(), 'customers.list', { from, at: n % 2 === 0 ? one : other })).status);
    assert.deepEqual(new Set(statuses.slice(0, 30)), new Set([401]));
    assert.ok(statuses.slice(30).includes(429), statuses.join());
    // However slow this machine is, the pause is not over.
    const later = new Date(Date.now() + 600_000);
    const spent = await one.store.run(db =>
      db.updateTable('attempts').set({ next_at: later }).where('key', 'like', 'unknown-keys:%').executeTakeFirst(),
    );
    assert.ok(spent.numUpdatedRows > 0n);
    proxy.exchanges.length = 0;
    assert.equal((await ask('portal_x', 'customers.list', { from })).status, 401);
    assert.deepEqual(proxy.exchanges, []);
    for (const at of [one, other]) assert.equal((await ask(used, 'customers.list', { from, at })).status, 200);
    assert.equal((await ask(fresh, 'customers.list', { from })).status, 200, 'its first call comes from there');
    // One that is refused is no longer known, and counts as any other.
    assert.equal((await ask(elsewhere, 'customers.list', { from })).status, 401);
    assert.equal((await ask(elsewhere, 'customers.list', { from })).status, 429);
    await one.store.run(db => db.deleteFrom('attempts').where('key', 'like', 'unknown-keys:%').execute());
  });

  test('a key regenerated is good beside the one before for a day, and a revoked one is over at once on both processes', async () => {
    const key = await keyFor(['customers.list']);
    const keyId = String(await idOf(key));
    const { body } = await reseller.press(screen, 'regenerate', 'call:manageApi.regenerate', { with: { keyId } });
    assert.equal(body.Succeed, true, JSON.stringify(body));
    const { Key: next } = body.Result as { Key: string };
    for (const each of [key, next]) assert.equal((await ask(each, 'customers.list', { at: other })).status, 200);
    passed = 25 * 3_600_000;
    assert.equal((await ask(key, 'customers.list')).status, 401);
    assert.equal((await ask(next, 'customers.list')).status, 200);
    passed = 0;
    await reseller.press(screen, 'revoke', 'call:manageApi.revoke', { with: { keyId } });
    for (const at of [one, other]) assert.equal((await ask(next, 'customers.list', { at })).status, 401);
  });

  test('a key does no more than its creator may do at that moment, without another key', async () => {
    const key = await keyFor(['customers.list']);
    assert.equal((await ask(key, 'customers.list')).status, 200);
    const held = sandbox.db
      .selectFrom('account_permissions as p')
      .innerJoin('accounts as a', 'a.id', 'p.account_id')
      .where('a.username', '=', 'reseller@northwind.test')
      .select(['a.id', 'p.views', 'p.permissions']);
    const before = await held.executeTakeFirstOrThrow();
    const set = ({ views, permissions }: Pick<typeof before, 'views' | 'permissions'>) =>
      sandbox.db
        .updateTable('account_permissions')
        .set({ views, permissions })
        .where('account_id', '=', before.id)
        .execute();
    await set({ views: ['settings'], permissions: [] });
    assert.equal((await ask(key, 'customers.list', { at: other })).status, 403);
    await set(before);
    assert.equal((await ask(key, 'customers.list', { at: other })).status, 200);
  });

  test('what a key may not open is not chosen, and the token of a key opens no other call of the cloud', async () => {
    for (const name of ['manageApi.register', 'billing.none', 'exports.csvFile'])
      assert.equal((await make([name])).status, 400, name);
    assert.equal((await make([])).body.Succeed, false);
    const key = await keyFor(['customers.list']);
    const reply = await fetch(`${sandbox.url}/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'api_key', api_key: key }),
    });
    const { access_token: token } = (await reply.json()) as { access_token: string };
    const headers = { 'actor-id': 'reseller@northwind.test' };
    assert.equal((await sandbox.call(token, 'GET', '/api/customers', undefined, headers)).status, 200);
    for (const path of ['/api/ManageApi/Initialise', '/api/staff', '/api/customers/10001'])
      assert.equal((await sandbox.call(token, 'GET', path, undefined, headers)).status, 403, path);
  });

  test('calls of a key are limited over both processes', async () => {
    await one.store.run(db => db.deleteFrom('attempts').where('key', 'like', 'api-key:%').execute());
    const key = await keyFor(['customers.list']);
    assert.equal((await ask(key, 'customers.list')).status, 200);
    const spent = await one.store.run(db =>
      db
        .updateTable('attempts')
        .set({ failures: 2999 })
        .where('key', 'like', 'api-key:%')
        .where('failures', '=', 1)
        .executeTakeFirst(),
    );
    assert.equal(spent.numUpdatedRows, 1n);
    assert.equal((await ask(key, 'customers.list')).status, 200);
    assert.equal((await ask(key, 'customers.list', { at: other })).status, 429);
  });

  test('the document of a key describes what it opens and nothing else', async () => {
    const key = await keyFor(['customers.list', 'customers.suspend']);
    const { body } = await ask(key, 'openapi.json');
    assert.equal(body.openapi, '3.1.0');
    assert.deepEqual(
      Object.entries(body.paths).map(([path, methods]) => [path, Object.keys(methods as object)]),
      [
        ['/customers.list', ['get']],
        ['/customers.suspend', ['post']],
      ],
    );
    assert.match(JSON.stringify(body.paths['/customers.suspend']), /idempotency-key/);
    assert.doesNotMatch(JSON.stringify(body), /invoice|"x-/);
    assert.equal((await fetch(`${one.url}/api/v1/openapi.json`)).status, 401);
  });

  test('the document says the types of what comes back, by JSON Schema, and replies keep to it', async () => {
    const reads = ['customers.list', 'company.get', 'company.progress', 'quickLinks.get'];
    const key = await keyFor([...reads, 'customers.rename']);
    const { body } = await ask(key, 'openapi.json');
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(body, 'api');
    const schemas = notEmpty(schemasIn(body));
    for (const schema of schemas) assert.equal(ajv.validateSchema(schema), true, ajv.errorsText());
    for (const name of reads) {
      const reply = await ask(key, `${name}`);
      assert.equal(reply.body.Succeed, true, name);
      const at = `api#/paths/~1${name}/get/responses/200/content/application~1json/schema`;
      const validate = ajv.getSchema(at) ?? assert.fail(at);
      assert.equal(validate(reply.body), true, `${name}: ${ajv.errorsText(validate.errors)}`);
      assert.equal(validate({ ...reply.body, Result: { Nonsense: 1 } }), false, name);
    }
    const result =
      body.paths['/customers.list'].get.responses[200].content['application/json'].schema.properties.Result;
    const { MonthlySpend } = result.properties.Items.items.properties;
    assert.deepEqual([MonthlySpend.type, MonthlySpend.pattern], ['string', '^-?\\d+(\\.\\d+)?$']);
    const { requestBody } = body.paths['/customers.rename'].post;
    const { required, properties } = requestBody.content['application/json'].schema;
    assert.deepEqual([required, properties.NewName.type, properties.NewName.minLength], [['NewName'], 'string', 1]);
  });

  for (const username of ['reseller@northwind.test', 'engineer@northwind.test'])
    test(`${username}: of all operations a key for everything opens those that the layouts of its creator make`, async () => {
      const client = await one.signIn(username);
      const { operations } = (await readOwnLayouts()).current();
      const key = `portal_${randomBytes(32).toString('base64url')}`;
      const account = await sandbox.db
        .selectFrom('accounts')
        .select('id')
        .where('username', '=', username)
        .executeTakeFirstOrThrow();
      await sandbox.db
        .insertInto('api_keys')
        .values({
          ...{ account_id: account.id, name: 'all', hash: createHash('sha256').update(key).digest('base64url') },
          ...{ old_hash: null, old_until: null, operations: [...operations.keys()], addresses: [] },
          calls: [...operations.values()].map(({ method, path }) => `${method} ${path}`),
          ...{ created: new Date(), expires: new Date(Date.now() + 3_600_000), last_used: null, last_address: null },
        })
        .execute();
      const { paths } = (await ask(key, 'openapi.json')).body as { paths: Record<string, Record<string, object>> };
      const files = Object.keys(paths).flatMap(path => /^\/files\/(.*)/.exec(path)?.[1] ?? []);
      const opened = new Map(
        Object.entries(paths).map(([path, one]) => [path.replace(/^\/(?:files\/)?/, ''), Object.keys(one)[0]]),
      );
      assert.deepEqual(files.includes('agreements.download'), username.startsWith('reseller'));
      assert.ok(opened.size > 10, String(opened.size));
      // Engineers see no prices: nothing of these stands in what describes their keys.
      assert.equal(/MonthlySpend/.test(JSON.stringify(paths)), username.startsWith('reseller'));
      proxy.exchanges.length = 0;
      let refused = 0;
      for (const name of operations.keys()) {
        const method = opened.get(name);
        // Of what is open the other way is refused.
        const wrong = method === undefined ? ['GET', 'POST'][refused % 2] : method === 'get' ? 'POST' : 'GET';
        const { status } = await ask(key, name, { ...(wrong && { method: wrong }) });
        assert.equal(status, 403, `${wrong} ${name}`);
        const other = files.includes(name) ? name : `files/${name}`;
        assert.equal((await ask(key, other)).status, 403, other);
        refused += 1;
      }
      const own =
        /auth\/token|login-user|\/permissions|account-settings\/display|getLoginUserWhiteLabel|validity|partner-systems/;
      assert.deepEqual(
        proxy.exchanges.map(({ url }) => url).filter(url => !own.test(url)),
        [],
      );
      for (const name of opened.keys()) assert.ok(!/^manageApi\./.test(name), name);
      for (const [name, method] of opened) {
        const isFile = files.includes(name);
        const role = isFile
          ? await client.post(`/ui/downloads/${name}`, {})
          : method === 'get'
            ? await client.get(`/ui/data/${name}`)
            : undefined;
        if (role) assert.notEqual(role.status, 403, name);
      }
    });
}
