import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const schemas = withEditedSchemas();
const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, () => ({ schemasDir: schemas.folder }));
let reseller: Client;
let organisationId: string;
setUp(async () => {
  reseller = await portal.signIn('reseller@northwind.test');
  organisationId = (await reseller.get('/ui/data/customers.list?status=Active&pageSize=1')).body.Result.Items[0]
    .OrganisationId;
});
beforeEach(() => {
  proxy.intercept(undefined);
  proxy.exchanges.length = 0;
});

let popupId = 'contact-details';
const openPopup = () =>
  reseller.press('contact-details', 'contact-details', 'command:delivered.open', { with: { popupId, organisationId } });
const submitPopup = (body: Record<string, unknown>) =>
  reseller.press('contact-details', 'contact-details', 'command:delivered.submit', {
    with: { popupId, organisationId },
    body,
  });

/** The documents offer one popup; another takes its place. */
async function offer(id: string): Promise<void> {
  const [before, next] = [popupId, id];
  await schemas.editLive(portal, 'customers/contact-details.json', text =>
    text.replace(`"${before}" }`, `"${next}" }`),
  );
  popupId = id;
  reseller = await portal.signIn('reseller@northwind.test');
  proxy.exchanges.length = 0;
}

const written = () => proxy.exchanges.filter(({ method, url }) => method !== 'GET' && url.startsWith('/api/'));

const callback = (body: Record<string, unknown>) =>
  reseller.press('/support/callback', 'callback', 'command:delivered.submit', {
    with: { formId: 'callback-request' },
    body,
  });

test('a dynamic form arrives as fields with its own rules and words', async () => {
  const { body } = await reseller.press('/support/callback', 'callback', 'command:delivered.open', {
    with: { formId: 'callback-request' },
  });
  const { children, values, events } = body.Result as {
    children: { propertyName: string; mandatory?: boolean; regex?: string }[];
    values: object;
    events: string[];
  };
  assert.deepEqual(
    children.map(field => field.propertyName),
    ['Name', 'Phone', 'Topic', 'BestTime'],
  );
  assert.equal(children[0]?.mandatory, true);
  assert.deepEqual([values, events], [{}, []]);
});

test('a dynamic form is validated again by the server before anything is forwarded', async () => {
  const reply = await callback({ Name: '', Phone: 'x', Topic: 'ok then', Extra: 1 });
  assert.equal(reply.status, 422);
  assert.deepEqual(reply.body.Errors, {
    Name: ['This is a mandatory field'],
    Phone: ['Must be a phone number, such as 01632960123'],
    Extra: ['This page has changed. Reload it and try again.'],
  });
  assert.deepEqual(written(), []);
});

test('a dynamic form that is right is sent, and what the cloud says arrives', async () => {
  const reply = await callback({ Name: 'Ann', Phone: '01632960123', Topic: 'Invoices' });
  assert.deepEqual(reply.body, { Succeed: true, Messages: ['Thank you. We will call 01632960123 soon.'] });
  assert.deepEqual(
    written().map(({ body }) => JSON.parse(body)),
    [{ Name: 'Ann', Phone: '01632960123', Topic: 'Invoices' }],
  );
});

test('a node opens only the form that it names', async () => {
  const reply = await reseller.press('/support/callback', 'callback', 'command:delivered.open', {
    with: { formId: 'exchange-migration' },
  });
  assert.equal(reply.status, 403);
});

test('a popup arrives with its title, items, first values and events, and nothing that no item shows', async () => {
  const { body } = await openPopup();
  const { title, values, events } = body.Result as { title: string; values: Record<string, unknown>; events: string[] };
  assert.equal(title, 'Contact details');
  assert.deepEqual(events, ['customer-changed', 'contact-changed']);
  assert.ok('ContactName' in values && 'CustomerName' in values);
  assert.ok(!('OrganisationId' in values) && !('RecordVersion' in values));
});

test('a submit lays the visible values over the whole data, and publishes the events', async () => {
  const { body } = await openPopup();
  const { values } = body.Result as { values: Record<string, unknown> };
  const typed = {
    ContactName: 'Ann Lee',
    ContactEmail: 'ann@acme.test',
    ByPhone: false,
    InvoiceToContact: false,
    InvoiceEmail: 'bills@acme.test',
    Employees: '25',
  };
  const reply = await submitPopup(typed);
  assert.deepEqual(reply.body, {
    Succeed: true,
    Messages: ['The contact details were saved.'],
    effects: [
      { do: 'publish', event: 'customer-changed' },
      { do: 'publish', event: 'contact-changed' },
    ],
  });
  const [sent] = written();
  const whole = JSON.parse(sent?.body ?? '');
  assert.equal(sent?.method, 'PUT');
  assert.equal(whole.Employees, 25);
  assert.equal(whole.OrganisationId, organisationId);
  assert.ok('RecordVersion' in whole);
  assert.equal(whole.Phone, values.Phone);
  assert.equal(whole.ContactName, 'Ann Lee');
});

test('a hidden item, a displayed one and an id of the data cannot be submitted', async () => {
  const typed = {
    ContactName: 'Ann Lee',
    ContactEmail: 'ann@acme.test',
    ByPhone: false,
    InvoiceToContact: true,
    Employees: 25,
  };
  for (const extra of [
    { Phone: '01632960123' },
    { CustomerName: 'Mine' },
    { RecordVersion: 1 },
    { OrganisationId: '10002' },
  ]) {
    const reply = await submitPopup({ ...typed, ...extra });
    assert.deepEqual([reply.status, Object.keys(reply.body.Errors ?? {})], [422, Object.keys(extra)]);
  }
  assert.deepEqual(written(), []);
});

test('a stale record is refused with the message of the cloud', async () => {
  const typed = {
    ContactName: 'Ann Lee',
    ContactEmail: 'ann@acme.test',
    ByPhone: false,
    InvoiceToContact: true,
    Employees: 25,
  };
  proxy.intercept(({ method }, response) =>
    method === 'PUT' ? answerJson(response, 409, { Succeed: false, Messages: ['Somebody else changed this.'] }) : false,
  );
  const reply = await submitPopup(typed);
  assert.deepEqual([reply.status, reply.body], [409, { Succeed: false, Messages: ['Somebody else changed this.'] }]);
});

test('delivered paths are followed only to the operations that the node lists', async () => {
  const elsewhere = [
    '/api/customers',
    '/api/popups/contact-details/data/10002/../../..',
    '//evil.test/api/popups/contact-details/schema',
    'https://evil.test/x',
    '/api/popups/a%2f..%2fb/schema',
    '/api/popups/../users/schema',
    '/api/popups//schema',
  ];
  for (const path of elsewhere) {
    proxy.intercept(({ url }, response) =>
      url.startsWith('/api/popups/contact-details?')
        ? answerJson(response, 200, {
            Succeed: true,
            Result: {
              Title: 'T',
              ApiGetSchemaPath: path,
              ApiGetDataPath: `/api/popups/contact-details/data/${organisationId}`,
              ApiSubmitPath: '/api/customers/10002/suspend',
              ApiSubmitRequestMethod: 'post',
            },
          })
        : false,
    );
    const { status } = await openPopup();
    assert.ok(status === 502 || status === 400, `${path} gives ${status}`);
  }
  const asked = new Set(
    proxy.exchanges
      .filter(({ url }) => !/login-user|permissions|display|negotiate/.test(url))
      .map(({ url }) => url.split('?')[0]),
  );
  assert.deepEqual(
    [...asked].sort(),
    [`/api/popups/contact-details`, `/api/popups/contact-details/data/${organisationId}`].sort(),
  );
});

test('a model that breaks its own rules is refused whole', async () => {
  const broken = [
    { Items: [] },
    { Items: [{ DataItem: '__proto__', Type: 3 }] },
    { Items: [{ DataItem: 'A', Type: 9 }] },
    { Items: [{ DataItem: 'A', Type: 3, Regex: '(' }] },
    {
      Items: [
        { DataItem: 'A', Type: 3 },
        { DataItem: 'A', Type: 4 },
      ],
    },
    { Items: Array.from({ length: 101 }, (_, index) => ({ DataItem: `A${index}`, Type: 3 })) },
  ];
  for (const Result of broken) {
    proxy.intercept(({ url }, response) =>
      url.endsWith('/schema') ? answerJson(response, 200, { Succeed: true, Result }) : false,
    );
    const reply = await openPopup();
    assert.deepEqual(
      [reply.status, reply.body.Resources?.code],
      [502, 'MODEL_INVALID'],
      JSON.stringify(Result).slice(0, 80),
    );
  }
});

test('HTML of the cloud leaves sanitised, whether it comes as data or as a label', async () => {
  for (const id of ['close-account-note', 'remove-address-book-photo']) {
    await offer(id);
    const { body, text } = await openPopup();
    assert.equal(body.Succeed, true, text);
    assert.ok(text.includes('<strong>cannot be undone</strong>'), text);
    assert.ok(!/script|onerror|javascript:|<img/.test(text), text);
  }
});

test('a required value must be given exactly', async () => {
  const wrong = await submitPopup({ Confirmation: 'delete' });
  assert.deepEqual([wrong.status, wrong.body.Errors], [422, { Confirmation: ['Must be DELETE'] }]);
  const right = await submitPopup({ Confirmation: 'DELETE' });
  assert.equal(right.body.Succeed, true, right.text);
  assert.equal(written()[0]?.method, 'DELETE');
});
