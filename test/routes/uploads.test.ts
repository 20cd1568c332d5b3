import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterEach, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { setUp } from '../fixtures/set-up.ts';
import { answer, withUpstream } from '../fixtures/upstream.ts';
import { inTime, nextEvent } from '../fixtures/wait.ts';

const largest = 16 * 1024 * 1024;
const operation = 'users.checkImport';
const inCloud = '/api/customers/10001/user-imports';

const upstream = withUpstream();
const schemas = withEditedSchemas();
setUp(async () => {
  await schemas.edit('imports/import-file-form.json', text =>
    text.replace(/"maxBytes": \d+/, `"maxBytes": ${largest}`),
  );
  await schemas.edit('users/import-operations.json', text =>
    text.replace('"upload": true', '"upload": true,\n      "timeout": 3000'),
  );
});
const portal = withPortal(upstream, () => ({ schemasDir: schemas.folder }));
const reseller = withClient(portal, 'reseller@northwind.test');
afterEach(() => {
  upstream.fault = undefined;
});

const file = ['First name,Last name,Email address', 'Ada,Grey,ada.grey@contoso.test', ''].join('\r\n');

type Reply = { readonly status: number; readonly body: Record<string, unknown> & { Resources?: { code: string } } };
type Headers = Record<string, string | undefined>;

const screen = '/customers/customer/{orgId}/import-users';

/** The headers of an upload, as the form of the screen sends it; by a caller without it, as somebody else's sends it. */
async function headersOf(client: Client, changes: Headers = {}): Promise<Record<string, string>> {
  const layout = await client.hashOf(screen).catch(() => reseller.hashOf(screen));
  const call = { node: 'import-users', layout, with: { customerId: '10001', name: 'users.csv' } };
  const headers = {
    cookie: client.cookie,
    'x-portal': '1',
    'content-type': 'text/csv',
    'x-portal-call': encodeURIComponent(JSON.stringify(call)),
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Begins an upload whose body is to be written, and gives it with its reply. */
function begin(headers: Record<string, string>, name = operation): { asked: ClientRequest; reply: Promise<Reply> } {
  const asked = request(`${portal.url}/ui/uploads/${name}`, { method: 'POST', headers });
  asked.on('error', () => undefined);
  const answered = nextEvent(asked, 'response');
  const read = async (): Promise<Reply> => {
    const [reply] = (await answered) as [IncomingMessage];
    let text = '';
    for await (const chunk of reply.setEncoding('utf8')) text += chunk;
    return { status: reply.statusCode ?? 0, body: JSON.parse(text) };
  };
  const reply = inTime('The answer to an upload', read());
  return { asked, reply };
}

async function send(body: string | Buffer, changes: Headers = {}, client = reseller, name = operation): Promise<Reply> {
  const { asked, reply } = begin(await headersOf(client, changes), name);
  asked.end(body);
  return reply;
}

const codeOf = async (reply: Promise<Reply>) => {
  const { status, body } = await reply;
  return [status, body.Resources?.code];
};

/** Bytes of files that the cloud was sent, and the requests of them that came to their end. */
let cloud = { begun: 0, bytes: 0, whole: 0, closed: 0 };

/** Takes files in place of the cloud; `reply` answers once all of one is there. */
function takeFiles(reply: string | undefined, onPart?: (part: Buffer) => void): void {
  const own = { begun: 0, bytes: 0, whole: 0, closed: 0 };
  cloud = own;
  upstream.fault = (asked, response) => {
    if (!asked.url?.startsWith(inCloud)) return undefined;
    own.begun += 1;
    asked.on('data', (part: Buffer) => {
      own.bytes += part.length;
      onPart?.(part);
    });
    asked.on('end', () => {
      own.whole += 1;
      if (reply !== undefined) response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
    });
    asked.on('close', () => {
      own.closed += 1;
    });
    return true;
  };
}
const taken = JSON.stringify({ Succeed: true, Result: { ImportId: 'taken', Secret: 'secret' } });

test('a file goes to the cloud as it is, and the reply comes back cut to its contract', async () => {
  const bytes = randomBytes(300_000);
  const received = createHash('sha256');
  takeFiles(taken, part => received.update(part));
  const { status, body } = await send(bytes, { 'content-length': String(bytes.length) });
  assert.deepEqual([status, body], [200, { Succeed: true, Result: { ImportId: 'taken' } }]);
  assert.equal(received.digest('hex'), createHash('sha256').update(bytes).digest('hex'));
});

test('the cloud has the headers that the portal writes, and none of the browser', async () => {
  let headers: IncomingMessage['headers'] = {};
  let url = '';
  upstream.fault = (asked, response) => {
    if (!asked.url?.startsWith(inCloud)) return undefined;
    headers = asked.headers;
    url = asked.url;
    asked.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(taken));
    return true;
  };
  await send(file, {
    'content-type': 'Text/CSV; charset=utf-16',
    'content-length': String(file.length),
    authorization: 'Bearer mine',
    'actor-id': 'somebody@else.test',
    'x-custom': 'mine',
  });
  assert.equal(url, `${inCloud}?name=users.csv`);
  const { authorization = '', ...others } = headers;
  assert.match(authorization, /^Bearer (?!mine)/);
  assert.deepEqual(Object.keys(others).sort(), [
    ...[
      'accept',
      'actor-id',
      'cache-control',
      'connection',
      'content-length',
      'content-type',
      'host',
      'x-forwarded-for',
    ],
  ]);
  assert.deepEqual(
    [headers['content-type'], headers['content-length'], headers['actor-id']],
    ['text/csv', String(file.length), 'reseller@northwind.test'],
  );
});

test('through to the sandbox a file becomes an import, and what it refuses is told beside the field', async () => {
  const { status, body } = await send(file);
  assert.equal(status, 201, JSON.stringify(body));
  const { ImportId } = body.Result as { ImportId: string };
  const read = await reseller.get(`/ui/data/users.import?customerId=10001&importId=${ImportId}`);
  assert.deepEqual([read.body.Result.Name, read.body.Result.Counts.Ready], ['users.csv', 1]);
  const refused = await send('Name\r\nAda\r\n');
  assert.deepEqual(
    [refused.status, refused.body.Errors],
    [422, { File: ['The file has no column First name, Last name, Email address.'] }],
  );
});

test('what is not declared is refused before a byte of it reaches the cloud', async () => {
  takeFiles(taken);
  const call = (changes: object) => async (): Promise<Headers> => {
    const { 'x-portal-call': header = '' } = await headersOf(reseller);
    return {
      'x-portal-call': encodeURIComponent(JSON.stringify({ ...JSON.parse(decodeURIComponent(header)), ...changes })),
    };
  };
  const refused: [name: string, status: number, code: string, changes: Headers | (() => Promise<Headers>)][] = [
    ['another type', 415, 'MEDIA_TYPE', { 'content-type': 'application/pdf' }],
    ['JSON', 415, 'MEDIA_TYPE', { 'content-type': 'application/json' }],
    ['no type', 415, 'MEDIA_TYPE', { 'content-type': undefined }],
    ['a coding', 415, 'MEDIA_TYPE', { 'content-encoding': 'gzip' }],
    ['too large by what it says', 413, 'TOO_LARGE', { 'content-length': String(largest + 1) }],
    ['no call', 400, 'BAD_REQUEST', { 'x-portal-call': undefined }],
    ['a call that is no JSON', 400, 'BAD_REQUEST', { 'x-portal-call': '%7B' }],
    ['a call with more in it', 400, 'BAD_REQUEST', call({ body: { File: 'x' } })],
    ['another node', 403, 'NOT_PERMITTED', call({ node: 'add-user' })],
    [
      'a parameter that the form does not give',
      403,
      'NOT_PERMITTED',
      call({ with: { customerId: '10001', more: '1' } }),
    ],
    ['a parameter that leads elsewhere', 400, 'PARAMETER_INVALID', call({ with: { customerId: '../x', name: 'a' } })],
    ['no header of the portal', 403, 'REQUEST_REFUSED', { 'x-portal': undefined }],
    ['another site', 403, 'REQUEST_REFUSED', { origin: 'https://evil.test' }],
    ['another account', 412, 'CALLER_CHANGED', { 'x-portal-user': 'somebody@else.test' }],
  ];
  for (const [name, status, code, given] of refused) {
    const changes = typeof given === 'function' ? await given() : given;
    const { asked, reply } = begin(await headersOf(reseller, changes));
    if (changes['content-length'] === undefined) asked.end(file);
    else asked.flushHeaders();
    assert.deepEqual(await codeOf(reply), [status, code], name);
    asked.destroy();
  }
  assert.deepEqual(await codeOf(send('')), [422, 'FIELDS_INVALID'], 'nothing in it');
  assert.deepEqual(await codeOf(send(file, {}, reseller, 'users.create')), [400, 'BAD_REQUEST'], 'no upload');
  assert.equal(cloud.whole, 0);
});

test('a refused file is told in words beside its field', async () => {
  const wrong = await send(file, { 'content-type': 'image/png' });
  assert.deepEqual(wrong.body.Errors, { File: ['Choose a file of this kind: CSV'] });
  const empty = await send('');
  assert.deepEqual(empty.body.Errors, { File: ['The file is empty'] });
});

test('only who may create users sends a file of them, and an operation for files takes no JSON', async () => {
  const engineer = await portal.signIn('engineer@northwind.test');
  takeFiles(taken);
  assert.deepEqual(await codeOf(send(file, {}, engineer)), [403, 'NOT_PERMITTED']);
  assert.deepEqual(await codeOf(send(file, {}, portal.client())), [401, 'SESSION_ENDED']);
  const json = await reseller.press(screen, 'import-users', `call:${operation}`, {
    with: { customerId: '10001', name: 'users.csv' },
    body: { File: 'users.csv' },
  });
  assert.deepEqual([json.status, json.body.Resources?.code], [400, 'BAD_REQUEST']);
  assert.equal(cloud.begun, 0);
  upstream.fault = undefined;
});

test('an administrator sends users of the own organisation, whichever the address names', async () => {
  const admin = await portal.signIn('admin@contoso.test');
  const layout = await admin.hashOf(screen);
  const call = (parameters: object) => ({
    'x-portal-call': encodeURIComponent(JSON.stringify({ node: 'import-users', layout, with: parameters })),
  });
  const { status, body } = await send(file, call({ name: 'own.csv' }), admin);
  assert.equal(status, 201, JSON.stringify(body));
  assert.ok(upstream.asked.at(-1)?.startsWith('POST /api/customers/10001/'), upstream.asked.at(-1));
  takeFiles(taken);
  const other = await send(file, call({ name: 'own.csv', customerId: '10002' }), admin);
  assert.equal(other.body.Succeed, false);
  assert.equal(cloud.begun, 0);
});

test('a file that turns out too large is cut off there, and the cloud never has a whole one', async () => {
  takeFiles(taken);
  const { asked, reply } = begin(await headersOf(reseller));
  const part = Buffer.alloc(256 * 1024);
  let written = 0;
  const write = (): void => {
    if (asked.destroyed || written > largest * 2) return void asked.end();
    written += part.length;
    asked.write(part, write);
  };
  write();
  assert.deepEqual(await codeOf(reply), [413, 'TOO_LARGE']);
  await eventually(() => cloud.closed === 1);
  assert.equal(cloud.whole, 0);
  assert.ok(cloud.bytes <= largest, String(cloud.bytes));
});

test('a browser that stops in the middle is given up, and the cloud is rid of it', async () => {
  takeFiles(taken);
  const { asked, reply } = begin(await headersOf(reseller));
  asked.write(file);
  assert.deepEqual(await codeOf(reply), [408, 'LATE']);
  await eventually(() => cloud.closed === 1);
  assert.equal(cloud.whole, 0);
  asked.destroy();
});

test('a browser that leaves in the middle ends the request of the cloud', async () => {
  takeFiles(taken);
  const { asked, reply } = begin(await headersOf(reseller));
  reply.catch(() => undefined);
  asked.write(file);
  await eventually(() => cloud.bytes > 0);
  asked.destroy();
  await eventually(() => cloud.closed === 1);
  assert.equal(cloud.whole, 0);
});

test('a cloud that says nothing to a whole file is given up in time', async () => {
  takeFiles(undefined);
  assert.deepEqual(await codeOf(send(file)), [504, 'UPSTREAM_TIMEOUT']);
});

test('a refusal of the cloud that comes before it has read the file is answered as one', async () => {
  upstream.fault = answer(inCloud, 409, 'application/json', JSON.stringify({ Succeed: false, Messages: ['Not now.'] }));
  const { status, body } = await send(Buffer.alloc(largest));
  assert.deepEqual([status, body.Messages], [409, ['Not now.']]);
});

test('a token that is refused is exchanged, and the file is asked for again', async () => {
  let asked = 0;
  upstream.fault = (request, response) => {
    if (!request.url?.startsWith(inCloud)) return undefined;
    asked += 1;
    if (asked > 1) return undefined;
    request.resume().on('end', () => response.writeHead(401, { 'content-type': 'application/json' }).end('{}'));
    return true;
  };
  assert.deepEqual(await codeOf(send(file)), [502, 'UPSTREAM_TRY_AGAIN']);
  assert.equal((await send(file)).status, 201);
});

test('a large file is never held in the portal, however slow the cloud takes it', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heldBytes = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  let goOn = (): void => undefined;
  upstream.fault = (asked, response) => {
    if (!asked.url?.startsWith(inCloud)) return undefined;
    asked.pause();
    goOn = () => asked.resume();
    asked.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(taken));
    return true;
  };
  const before = heldBytes();
  const { asked, reply } = begin(await headersOf(reseller));
  const part = Buffer.alloc(64 * 1024, 'portal');
  let sent = 0;
  let isStuck = false;
  while (sent < largest && !isStuck) {
    sent += part.length;
    if (asked.write(part)) continue;
    isStuck = await nextEvent(asked, 'drain', 1000).then(
      () => false,
      () => true,
    );
  }
  assert.ok(isStuck, 'the browser is held back where the cloud is');
  // What was collected is given back a little later.
  await eventually(() => heldBytes() - before < 3 * 1024 * 1024, 'little of the file is held');
  goOn();
  asked.end();
  assert.equal((await reply).status, 200);
});

test('an account sends three files at once, and one more is refused while everything else goes on', async () => {
  takeFiles(taken);
  const open = await Promise.all(
    [1, 2, 3].map(async () => {
      const { asked, reply } = begin(await headersOf(reseller));
      asked.write(file);
      return { asked, reply };
    }),
  );
  await eventually(() => cloud.begun === 3);
  assert.deepEqual(await codeOf(send(file)), [429, 'TOO_MANY']);
  assert.equal((await reseller.get('/ui/data/customers.list?pageSize=1')).status, 200);
  for (const { asked } of open) asked.end();
  const replies = await Promise.all(open.map(({ reply }) => reply));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal((await send(file)).status, 200);
});

test('the template comes as the file that it is', async () => {
  const { status, headers, text } = await reseller.file('/ui/downloads/users.importTemplate?customerId=10001');
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv']);
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="users\.csv"/);
  assert.match(text, /First name,Last name,Email address,Role,Phone/);
});
