import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { io, type Socket } from 'socket.io-client';
import type { DocumentErrors } from '../../shared/contract/realtime.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type StartedPortal, startPortal, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { untilConnected } from '../fixtures/wait.ts';

const METRICS_TOKEN = 'figures-for-the-tests';
const schemas = withEditedSchemas();
const sandbox = withSandbox();
const development = withPortal(sandbox, () => ({
  schemasDir: schemas.folder,
  env: { METRICS_TOKEN, SHOW_DOCUMENT_ERRORS: '1' },
}));

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});

type Heard = readonly [name: string, value: unknown][];

/** Opens a socket as the browser of a reseller would, and gives the list of what it hears. */
async function listen(portal: StartedPortal): Promise<Heard> {
  const { cookie } = await portal.signIn('reseller@northwind.test');
  const socket = io(portal.url, {
    path: '/ui/socket',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { cookie, origin: portal.url },
  });
  open.push(socket);
  const heard: [string, unknown][] = [];
  socket.onAny((name, value) => void heard.push([name, value]));
  await untilConnected(socket);
  return heard;
}

const errorsIn = (heard: Heard): DocumentErrors[] =>
  heard.flatMap(([name, value]) => (name === 'document-errors' ? [value as DocumentErrors] : []));

/** Waits until a portal has read so many errors in the saved documents. */
const untilErrors = (portal: StartedPortal, count: number): Promise<void> =>
  eventually(async () => {
    const { text } = await portal.client({ authorization: `Bearer ${METRICS_TOKEN}` }).get('/metrics');
    return new RegExp(`^\\w*schemas_broken ${count}$`, 'm').test(text);
  }, `the portal has found ${count} errors`);

const file = 'customers/customers.json';
const breakIt = (text: string): string => text.replace('"type": "search"', '"type": "serch"');
const mend = (text: string): string => text.replace('"serch"', '"search"');

test('open pages are told of a saved error with its place, and once more when it is mended', async () => {
  const heard = await listen(development);
  await eventually(() => errorsIn(heard).length === 1, 'the page has heard that nothing is wrong');
  assert.deepEqual(errorsIn(heard), [{ errors: [], others: 0 }]);
  await schemas.edit(file, breakIt);
  await eventually(() => errorsIn(heard).length === 2, 'the page has heard of the error');
  const told = errorsIn(heard)[1];
  assert.equal(told?.others, 0);
  assert.equal(told?.errors.length, 1);
  assert.equal(told?.errors[0]?.file, file);
  assert.ok((told?.errors[0]?.line ?? 0) > 1 && (told?.errors[0]?.column ?? 0) > 1);
  assert.match(told?.errors[0]?.message ?? '', /"serch".* Did you mean "search"\?/);
  const late = await listen(development);
  await eventually(() => errorsIn(late).length === 1, 'a page that is opened later has heard of the error');
  assert.deepEqual(errorsIn(late), [told]);
  await schemas.edit(file, mend);
  await eventually(() => errorsIn(heard).length === 3, 'the page has heard of the mend');
  assert.deepEqual(errorsIn(heard)[2], { errors: [], others: 0 });
});

test('of many errors, and of a long one, a page is told what a notice has room for', async () => {
  const heard = await listen(development);
  const long = 'x'.repeat(2000);
  await schemas.edit(file, text => text.replaceAll('"type": "', `"type": "${long}`));
  await eventually(() => (errorsIn(heard).at(-1)?.errors.length ?? 0) > 0, 'the page has heard of the errors');
  const told = errorsIn(heard).at(-1);
  assert.equal(told?.errors.length, 3);
  assert.ok((told?.others ?? 0) > 0);
  for (const { message } of told?.errors ?? []) assert.ok(message.length > 100 && message.length <= 300);
  await schemas.edit(file, text => text.replaceAll(long, ''));
  await eventually(() => errorsIn(heard).at(-1)?.errors.length === 0, 'the page has heard of the mend');
});

test('outside of development no page is told of errors in documents', async t => {
  const production = await startPortal({
    cloudUrl: sandbox.url,
    schemasDir: schemas.folder,
    env: { METRICS_TOKEN },
  });
  t.after(production.close);
  const before = await listen(production);
  await schemas.edit(file, breakIt);
  await untilErrors(production, 1);
  const after = await listen(production);
  await schemas.edit(file, text => mend(text).replace('"export": true', '"export": false'));
  await untilErrors(production, 0);
  for (const heard of [before, after])
    await eventually(() => heard.some(([name]) => name === 'boot'), 'the page has heard of the good version');
  assert.deepEqual([...errorsIn(before), ...errorsIn(after)], []);
  await schemas.edit(file, text => text.replace('"export": false', '"export": true'));
});
