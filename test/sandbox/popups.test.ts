import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

const call = (method: string, path: string, body?: unknown) => sandbox.call(token, method, path, body);
const get = async (path: string) => (await call('GET', path)).body.Result;
const dataOf = (popup: string) => get(`/api/popups/${popup}/data/10001`);
const submit = (method: string, popup: string, body: unknown) =>
  call(method, `/api/popups/${popup}/submit/10001`, body);

test('a popup says where its schema and data are and how it is submitted', async () => {
  assert.deepEqual(await get('/api/popups/contact-details?organisationId=10001'), {
    Title: 'Contact details',
    ApiGetSchemaPath: '/api/popups/contact-details/schema',
    ApiGetDataPath: '/api/popups/contact-details/data/10001',
    ApiSubmitPath: '/api/popups/contact-details/submit/10001',
    ApiSubmitRequestMethod: 'put',
  });
});

test('every popup can be read and submitted as it was read, apart from what must be typed', async () => {
  for (const [popup, typed] of [
    ['contact-details', {}],
    ['mail-forwarding', {}],
    ['remove-address-book-photo', { Confirmation: 'DELETE' }],
    ['close-account-note', { Confirmation: 'DELETE' }],
  ] as const) {
    const model = await get(`/api/popups/${popup}?organisationId=10001`);
    const { Items } = await get(model.ApiGetSchemaPath);
    assert.ok(Items.length > 0);
    const data = await get(model.ApiGetDataPath);
    const reply = await call(model.ApiSubmitRequestMethod.toUpperCase(), model.ApiSubmitPath, { ...data, ...typed });
    assert.deepEqual([reply.status, reply.body.Succeed, reply.body.Messages.length], [200, true, 1], popup);
  }
});

test('the schema has both kinds of dependency, and HTML that nobody should trust', async () => {
  const schema = await get('/api/popups/contact-details/schema');
  assert.deepEqual(
    schema.PropertyDependencies.map((rule: { Type: number }) => rule.Type),
    [1, 2],
  );
  assert.equal(schema.UpdateEvent, 'customer-changed|contact-changed');
  const { Items } = await get('/api/popups/remove-address-book-photo/schema');
  assert.match(Items[0].Label, /<script>/);
  assert.deepEqual(Items[1].RequiredValue, 'DELETE');
});

test('what is submitted is saved, in the customer too, and is part of the activity', async () => {
  const data = await dataOf('contact-details');
  const changed = {
    ...data,
    ContactName: 'Bo Archer',
    Employees: 42,
    InvoiceToContact: false,
    InvoiceEmail: 'pay@contoso.test',
  };
  assert.equal((await submit('PUT', 'contact-details', changed)).status, 200);
  const after = await dataOf('contact-details');
  assert.deepEqual(after, { ...changed, RecordVersion: data.RecordVersion + 1 });
  assert.equal((await get('/api/customers/10001')).ContactName, 'Bo Archer');
  assert.equal((await get('/api/customers/10001/activity')).Items[0].Action, 'Contact details changed');
});

test('a record that somebody has changed meanwhile is not overwritten', async () => {
  const data = await dataOf('contact-details');
  const contact = await get('/api/customers/10001');
  const { ContactName, ContactEmail, Phone, Address1, Address2, TownCity, County, PostCode } = contact;
  await call('PUT', '/api/customers/10001', {
    ContactName,
    ContactEmail,
    Phone,
    Address1,
    Address2,
    TownCity,
    County,
    PostCode,
  });
  const stale = await submit('PUT', 'contact-details', { ...data, ContactName: 'Too Late' });
  assert.deepEqual(
    [stale.status, stale.body.Messages],
    [409, ['Somebody else has changed this meanwhile. Open it again.']],
  );
  assert.notEqual((await dataOf('contact-details')).ContactName, 'Too Late');
});

test('of two submits of one record at the same time one is refused', async () => {
  const data = await dataOf('mail-forwarding');
  const replies = await Promise.all([submit('POST', 'mail-forwarding', data), submit('POST', 'mail-forwarding', data)]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
});

test('ids that no item shows must come back as they were', async () => {
  const data = await dataOf('contact-details');
  assert.equal((await submit('PUT', 'contact-details', { ...data, OrganisationId: '10002' })).status, 404);
  const { RecordVersion, ...rest } = data;
  assert.deepEqual((await submit('PUT', 'contact-details', rest)).body.Errors, {
    RecordVersion: ['Record version is required'],
  });
});

test('visible items are checked, hidden and disabled ones are left as they were', async () => {
  const data = await dataOf('contact-details');
  const faults = await submit('PUT', 'contact-details', {
    ...data,
    ContactName: '<b>',
    ContactEmail: 'nowhere',
    Phone: 'call me',
    ByPhone: true,
    InvoiceToContact: false,
    InvoiceEmail: 'x',
    Employees: '12',
    Extra: 'x',
  });
  assert.deepEqual(Object.keys(faults.body.Errors).sort(), [
    'ContactEmail',
    'ContactName',
    'Employees',
    'Extra',
    'InvoiceEmail',
    'Phone',
  ]);
  const hidden = { ...data, Phone: 'call me', ByPhone: false, InvoiceToContact: true, InvoiceEmail: 'x' };
  assert.equal((await submit('PUT', 'contact-details', hidden)).status, 200);
  const after = await dataOf('contact-details');
  assert.deepEqual([after.Phone, after.InvoiceEmail, after.ByPhone], [data.Phone, data.InvoiceEmail, false]);
});

test('an item that need not be filled in may be blank, and one that must be may not', async () => {
  const data = await dataOf('contact-details');
  const open = { ...data, InvoiceToContact: false, ByPhone: true };
  assert.equal((await submit('PUT', 'contact-details', { ...open, InvoiceEmail: '' })).status, 200);
  const after = await dataOf('contact-details');
  assert.deepEqual([after.InvoiceToContact, after.InvoiceEmail], [false, '']);
  const blank = { ...open, RecordVersion: after.RecordVersion, ContactName: '', ContactEmail: '', Employees: '' };
  const faults = await submit('PUT', 'contact-details', blank);
  assert.deepEqual(Object.keys(faults.body.Errors).sort(), ['ContactEmail', 'ContactName', 'Employees']);
  const forwarding = { ...(await dataOf('mail-forwarding')), Enabled: true, ForwardTo: '' };
  const refused = await submit('POST', 'mail-forwarding', forwarding);
  assert.deepEqual(refused.body.Errors, { ForwardTo: ['Must be a valid email address'] });
});

test('an item with characters that cannot be seen is refused', async () => {
  const data = await dataOf('contact-details');
  const { body } = await submit('PUT', 'contact-details', { ...data, ContactName: 'Ann\u202eSmith' });
  assert.deepEqual(Object.keys(body.Errors ?? {}), ['ContactName']);
});

test('what is only shown cannot be changed', async () => {
  const data = await dataOf('contact-details');
  await submit('PUT', 'contact-details', { ...data, CustomerName: 'Renamed by popup' });
  assert.equal((await get('/api/customers/10001')).Name, 'Contoso');
});

test('nothing is deleted without the exact word', async () => {
  for (const Confirmation of ['delete', '', undefined]) {
    const data = await dataOf('close-account-note');
    const reply = await submit('DELETE', 'close-account-note', { ...data, Confirmation });
    assert.deepEqual(reply.body.Errors, { Confirmation: ['Must be DELETE'] });
  }
});

test('a popup answers to its own method only, and an unknown one to none', async () => {
  const data = await dataOf('contact-details');
  for (const method of ['POST', 'DELETE']) assert.equal((await submit(method, 'contact-details', data)).status, 404);
  for (const name of ['nothing', '__proto__']) {
    assert.equal((await call('GET', `/api/popups/${name}/schema`)).status, 404);
    assert.equal((await call('GET', `/api/popups/${name}?organisationId=10001`)).status, 404);
  }
});

test('a customer’s administrator forwards the own organisation’s mail', async () => {
  const admin = await sandbox.signIn('admin@contoso.test');
  const data = (await sandbox.call(admin, 'GET', '/api/popups/mail-forwarding/data/10001')).body.Result;
  const wanted = { ...data, Enabled: true, ForwardTo: 'all@contoso.test' };
  const path = '/api/popups/mail-forwarding/submit/';
  assert.equal((await sandbox.call(admin, 'POST', `${path}10001`, wanted)).status, 200);
  assert.equal((await dataOf('mail-forwarding')).ForwardTo, 'all@contoso.test');
  assert.equal((await sandbox.call(admin, 'POST', `${path}10002`, wanted)).status, 404);
});
