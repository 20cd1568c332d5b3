import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { freePort } from '../fixtures/free-port.ts';
import { signInContext } from '../fixtures/sign-in.ts';
import { openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';
import { answer, cut, type Fault, withUpstream } from '../fixtures/upstream.ts';
import { nextEvent } from '../fixtures/wait.ts';

const reseller = 'reseller@northwind.test';
const root = join(import.meta.dirname, '../..');

const upstream = withUpstream();
const portal = withBrowserPortal(() => ({ CLOUD_API_URL: upstream.url }));

const range = (page: Page, text: string | RegExp = /./) =>
  page.getByTestId('customers-table').getByRole('status').filter({ hasText: text });

/** The cloud has a fault until the test ends or says so. */
function inTrouble(t: TestContext, fault: Fault): void {
  upstream.fault = fault;
  t.after(() => {
    upstream.fault = undefined;
  });
}

test('an odd address of the list shows the list', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const odd = [
    'page=abc',
    'page=-1',
    'page=0',
    'page=1.5',
    'page=999',
    'size=7000',
    'size=none',
    'sort=Evil',
    'sort=__proto__',
    'status=Evil',
    `search=${'x'.repeat(500)}`,
    'page=abc&sort=Evil&size=-5&nothing=here',
    'page=2&page=3',
  ];
  for (const query of odd) {
    await page.goto(`${portal.url}/customers?${query}`);
    await range(page, /^(1–|26–)/).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0, query);
  }
  await page.goto(`${portal.url}/customers?search=${'x'.repeat(200)}`);
  await page.getByText('No customers match').waitFor();
});

test('a sort by what the caller may not see is left out of the address', async t => {
  const page = await openPageAs(t, portal, 'engineer@northwind.test', '/customers?sort=-MonthlySpend&search=dental');
  await range(page, '1–1 of 1').waitFor();
  assert.equal(new URL(page.url()).search, '?search=dental');
});

test('an address that leads nowhere says so and leads back', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  for (const path of [
    '/nothing',
    '/customers/customer/',
    '/customers/customer/10001/more',
    '/%00',
    '/<script>',
    '/..%2f..',
  ]) {
    await page.goto(portal.url + path);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  }
  await page.getByTestId('go-home').click();
  await page.waitForURL('**/dashboard');
});

test('an id that is none is the same as an unknown one: the page is not found', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  for (const id of ['0', 'abc', '%27%3B--', 'x'.repeat(300), '🚀', '%E0%A4%A']) {
    await page.goto(`${portal.url}/customers/customer/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    assert.ok(await page.getByTestId('nav-customers').isVisible(), id);
  }
});

test('bodies that are no calls are refused with a clear envelope', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await range(page).waitFor();
  const call = '{"node":"x","layout":"y"';
  const bodies: readonly (readonly [body: string, type: string])[] = [
    ['{', 'application/json'],
    ['', 'application/json'],
    ['[]', 'application/json'],
    ['null', 'application/json'],
    ['"text"', 'application/json'],
    [`${call},"more":1}`, 'application/json'],
    [`${call},"body":[]}`, 'application/json'],
    [`${call},"__proto__":{"admin":true}}`, 'application/json'],
    [`${call},"body":{"__proto__":{"admin":true}}}`, 'application/json'],
    [`${call},"body":{"constructor":{"prototype":{"a":1}}}}`, 'application/json'],
    ['node=x&layout=y', 'application/x-www-form-urlencoded'],
    [`${call}}`, 'text/plain'],
    [`${call}}`, 'application/json; charset=utf-16'],
  ];
  const replies = await page.evaluate(async list => {
    const told = [];
    for (const [body, type] of list) {
      const reply = await fetch('/ui/call/customers.suspend', {
        method: 'POST',
        headers: { 'content-type': type, 'x-portal': '1', 'idempotency-key': crypto.randomUUID() },
        body,
      });
      told.push({ body, status: reply.status, envelope: await reply.json() });
    }
    return told;
  }, bodies);
  const before = upstream.asked.filter(line => line.startsWith('POST /api/customers')).length;
  assert.equal(replies.length, bodies.length);
  for (const { body, status, envelope } of replies) {
    assert.ok(status >= 400 && status < 500, `${status} for ${body}`);
    assert.equal(envelope.Succeed, false, body);
    assert.ok(envelope.Error.length > 10 && envelope.Resources.reference, body);
  }
  assert.equal(upstream.asked.filter(line => line.startsWith('POST /api/customers')).length, before);
});

const troubles: Readonly<Record<string, { readonly fault: Fault; readonly says: string }>> = {
  'that is down': { fault: cut, says: 'We cannot reach the cloud service right now.' },
  'that answers with a page': {
    fault: answer('/api/', 200, 'text/html', '<h1>Hello</h1>'),
    says: 'The cloud service sent an answer that we could not read.',
  },
  'that answers with garbage': {
    fault: answer('/api/', 200, 'application/json', '{"Succeed":tru'),
    says: 'The cloud service sent an answer that we could not read.',
  },
  'that fails': {
    fault: answer('/api/', 500, 'text/plain', 'at Object.<anonymous> (/srv/secret.js:1)'),
    says: 'The cloud service could not do this right now.',
  },
};

/** Reads the list again, unless the page has done so by itself the moment the cloud could be heard. */
async function retry(page: Page): Promise<void> {
  const list = range(page, /^1–25/);
  await Promise.any([page.getByRole('button', { name: 'Try again' }).first().click(), list.waitFor()]);
  await list.waitFor();
}

for (const [what, { fault, says }] of Object.entries(troubles)) {
  test(`a cloud ${what} is told where the data would be and where the button was, and what was typed stays`, async t => {
    const page = await openPageAs(t, portal, reseller, '/customers/add', { allow: [/status of 50\d/] });
    const name = uniqueName('Kept');
    await page.getByTestId('customer-name').fill(name);
    await page.getByTestId('customer-domain').fill('example.test');
    await page.getByTestId('contact-name').fill('Sam Example');
    await page.getByTestId('contact-email').fill('sam@example.test');
    const submit = page.getByTestId('add-customer-form').getByRole('button', { name: 'Add customer' });
    inTrouble(t, fault);
    await submit.click();
    // The customer was sent off: nobody knows whether it was added.
    await page.getByRole('alert').getByText('We do not know whether this was done').waitFor();
    assert.equal(await page.getByTestId('customer-name').inputValue(), name);
    const other = await openPageAs(t, portal, reseller, '/customers', { allow: [/status of 50\d/] });
    await other.getByText(says).first().waitFor();
    assert.doesNotMatch(await other.locator('body').innerText(), /secret/);

    await other.getByRole('button', { name: 'Try again' }).first().waitFor();
    upstream.fault = undefined;
    // First the list: once the customer is there, the news of it reads the list again by itself.
    await retry(other);
    await submit.click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  });
}

test('a cloud that takes longer than the operation allows is given up on, and read again on request', async t => {
  const file = join(portal.schemas, 'customers/operations.json');
  const document = JSON.parse(await readFile(file, 'utf8'));
  document.operations['customers.list'].timeout = 1000;
  await writeFile(file, JSON.stringify(document));
  const page = await newPage(t, portal.browser, { allow: [/status of 504/] });
  await signInContext(page.context(), portal.url, reseller);
  // Never answered at all.
  inTrouble(t, request => (/^\/api\/customers(\?|$)/.test(request.url ?? '') ? true : undefined));
  await page.goto(`${portal.url}/customers`);
  await page.getByText('The cloud service is taking too long to answer.').waitFor();
  upstream.fault = undefined;
  await retry(page);
});

test('data of a form that cannot be read shows a way to try again and no empty fields', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001?tab=users', {
    allow: [/status of (400|502)/],
  });
  await page.getByTestId('users-table').waitFor();
  inTrouble(t, request => {
    if (!/^\/api\/customers\/10001\/users\/\d+$/.test(request.url ?? '')) return undefined;
    return cut(request, undefined as never);
  });
  await page.getByTestId('users-table').getByRole('rowheader').getByRole('link').first().click();
  await page.getByText('We cannot reach the cloud service right now.').first().waitFor();
  assert.equal(await page.getByTestId('user-details-form').count(), 0);
  // What was only not reached a page reads again by itself, a refusal not: there the press decides.
  upstream.fault = answer(
    '/api/customers/10001/users/',
    400,
    'application/json',
    '{"Succeed":false,"Error":"Closed."}',
  );
  await page.reload();
  await page.getByText('Closed.').first().waitFor();
  assert.equal(await page.getByTestId('user-details-form').count(), 0);
  upstream.fault = undefined;
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByTestId('user-details-form').waitFor();
});

/** Milliseconds after which a start that neither ends nor says anything never will. */
const asLongAsItTakes = 600_000;

/** Starts the build with these settings and waits for it to end. */
async function startAndFail(t: TestContext, settings: Record<string, string>) {
  const base = await mkdtemp(join(tmpdir(), 'portal-start-'));
  t.after(() => rm(base, { recursive: true, force: true }));
  const child = spawn(process.execPath, [join(root, 'dist/server/main.js')], {
    cwd: base,
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DATA_DIR: join(base, 'data'),
      SCHEMAS_DIR: join(root, 'schemas'),
      CLOUD_API_URL: upstream.url,
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', part => (said += part));
  const [code] = await nextEvent(child, 'close', asLongAsItTakes);
  return { code, said };
}

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-empty-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** One line that tells, no stack of calls, and an exit code that programs understand. */
function isClear({ code, said }: { code: unknown; said: string }, line: RegExp): void {
  assert.equal(code, 1, said);
  assert.match(said, line);
  assert.doesNotMatch(said, /^\s+at /m);
  assert.equal(said.trim().split('\n').length, 1, said);
}

test('an empty folder of schemas is told in one line', async t => {
  isClear(await startAndFail(t, { SCHEMAS_DIR: await emptyFolder(t) }), /schemas|document|navigation/i);
});

test('a data folder that cannot be made is told in one line', async t => {
  const file = join(await emptyFolder(t), 'file');
  await writeFile(file, '');
  isClear(await startAndFail(t, { DATA_DIR: join(file, 'data') }), /DATA_DIR/);
});

test('a port that is taken is told in one line', async t => {
  const server = createServer().listen(0, '127.0.0.1');
  await nextEvent(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  isClear(await startAndFail(t, { PORT: String(port) }), new RegExp(`PORT ${port} is in use`));
});

test('a second start on the same data folder is told in one line, and the first goes on', async t => {
  const base = await emptyFolder(t);
  const data = join(base, 'data');
  const schemas = join(base, 'schemas');
  await mkdir(data);
  await cp(join(root, 'schemas'), schemas, { recursive: true });
  const port = await freePort();
  const first = spawn(process.execPath, [join(root, 'dist/server/main.js')], {
    cwd: base,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: data,
      SCHEMAS_DIR: schemas,
      CLOUD_API_URL: upstream.url,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(async () => {
    first.kill('SIGTERM');
    if (first.exitCode === null) await nextEvent(first, 'exit');
  });
  await nextEvent(first.stdout, 'data', asLongAsItTakes);
  isClear(await startAndFail(t, { DATA_DIR: data }), /DATA_DIR .* is in use by another portal process/);
  assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200);
});
