import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { dropWaiting, mostAttachments } from '../../server/sandbox/support/files.ts';
import { scanFile } from '../../server/sandbox/support/scanner.ts';
import { limitAccount } from '../fixtures/limit-account.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const now = new Date('2027-01-04T12:00Z');
const sandbox = withSandbox({ now: () => now });
let engineer: string;
let reseller: string;
let rival: string;
setUp(async () => {
  engineer = await sandbox.signIn('engineer@northwind.test');
  reseller = await sandbox.signIn('reseller@northwind.test');
  rival = await sandbox.signIn('rival@southridge.test');
});

const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(600_000, 7)]);
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

const ask = (token: string, path: string) => sandbox.call(token, 'GET', `/api/support/${path}`);
const send = (token: string, path: string, body: object = {}) =>
  sandbox.call(token, 'POST', `/api/support/${path}`, body);
async function upload(token: string, name: string, content: string | Buffer, query = '', type = 'image/png') {
  const actor = { [engineer]: 'engineer', [reseller]: 'reseller', [rival]: 'rival' }[token];
  const response = await fetch(
    `${sandbox.url}/api/support/UploadFilesSupportTicket?name=${encodeURIComponent(name)}${query}`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'actor-id': `${actor}@${actor === 'rival' ? 'southridge' : 'northwind'}.test`,
        'content-type': type,
      },
      body: new Uint8Array(Buffer.from(content)),
    },
  );
  return { status: response.status, body: await response.json() };
}
const download = (token: string, id: string) =>
  fetch(`${sandbox.url}/api/support/DownloadAttachment/${id}`, {
    headers: {
      authorization: `Bearer ${token}`,
      'actor-id':
        token === rival
          ? 'rival@southridge.test'
          : token === engineer
            ? 'engineer@northwind.test'
            : 'reseller@northwind.test',
    },
  });
const codeOf = (answer: { body: { Refusals?: { Code: string }[] } }) => answer.body.Refusals?.[0]?.Code;
const namesOf = async (token: string, path: string) =>
  (await ask(token, path)).body.Result.map(({ Name }: { Name: string }) => Name);
const openTicket = async (token: string, more: object = {}): Promise<string> =>
  (await send(token, 'SubmitTicket', { Subject: 'It is slow', Description: 'x', Priority: 'Low', ...more })).body.Result
    .TicketId;
const countRows = async () => (await sandbox.db.selectFrom('ticket_files').select('id').execute()).length;

test('files go along with the ticket that they were sent for, byte by byte, and are nobody else’s before', async () => {
  const about = '&kind=Page&of=';
  const { status, body } = await upload(engineer, '../../x “é”.png', png, about);
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal((await upload(engineer, 'second.txt', 'since Monday', about, 'text/plain')).status, 201);
  const { AttachmentId } = body.Result;
  assert.deepEqual(await namesOf(engineer, 'waiting-attachments?kind=Page'), ['x “é”.png', 'second.txt']);
  assert.deepEqual(await namesOf(engineer, 'waiting-attachments'), []);
  assert.deepEqual(await namesOf(reseller, 'waiting-attachments?kind=Page'), []);
  assert.equal((await download(reseller, AttachmentId)).status, 404);
  const ticket = await openTicket(engineer, { Kind: 'Page', Screen: '/orders' });
  assert.deepEqual(await namesOf(engineer, 'waiting-attachments?kind=Page'), []);
  assert.deepEqual(await namesOf(reseller, `GetSupportAttachments/${ticket}`), ['x “é”.png', 'second.txt']);
  const [message] = (await ask(engineer, `GetDetailHistorySupportTicket/${ticket}`)).body.Result;
  assert.equal(message.Files, 'x “é”.png, second.txt');
  const file = await download(reseller, AttachmentId);
  assert.deepEqual(
    [file.headers.get('content-type'), file.headers.get('content-length'), file.headers.get('content-disposition')],
    [
      'application/octet-stream',
      String(png.length),
      `attachment; filename="x ___.png"; filename*=UTF-8''x%20%E2%80%9C%C3%A9%E2%80%9D.png`,
    ],
  );
  assert.ok(png.equals(Buffer.from(await file.arrayBuffer())));
  const desk = await (await fetch(`${sandbox.url}/tickets`)).text();
  assert.match(desk, new RegExp(`href="/tickets/files/${AttachmentId}">x “é”\\.png`));
  assert.equal(
    (await fetch(`${sandbox.url}/tickets/files/${AttachmentId}`)).headers.get('content-length'),
    String(png.length),
  );
});

test('files of others are not there, nor how many they are; a reply sends what its author added', async () => {
  const ticket = await openTicket(engineer);
  const theirs = await upload(reseller, 'theirs.txt', 'x', `&ticketId=${ticket}`, 'text/plain');
  const mine = await upload(engineer, 'mine.txt', 'y', `&ticketId=${ticket}`, 'text/plain');
  await send(engineer, 'UpdateSupportTicketByReseller', { TicketId: ticket, Message: 'Look.' });
  assert.deepEqual(await namesOf(engineer, `GetSupportAttachments/${ticket}`), ['mine.txt']);
  assert.deepEqual(await namesOf(reseller, `waiting-attachments?ticketId=${ticket}`), ['theirs.txt']);
  const { AttachmentId } = mine.body.Result;
  const absent = (await ask(rival, 'GetSupportAttachments/99999')).body;
  for (const refused of [
    await ask(rival, `GetSupportAttachments/${ticket}`),
    await ask(rival, `waiting-attachments?ticketId=${ticket}`),
    await ask(rival, `DownloadAttachment/${AttachmentId}`),
    await upload(rival, 'a.txt', 'x', `&ticketId=${ticket}`, 'text/plain'),
    await send(reseller, `waiting-attachments/${AttachmentId}/remove`),
    await send(engineer, `waiting-attachments/${theirs.body.Result.AttachmentId}/remove`),
  ])
    assert.deepEqual([refused.status, refused.body], [404, absent]);
  assert.equal((await send(reseller, `waiting-attachments/${theirs.body.Result.AttachmentId}/remove`)).status, 200);
  assert.deepEqual(await namesOf(reseller, `waiting-attachments?ticketId=${ticket}`), []);
  await limitAccount(sandbox.db, 'codes@northwind.test', [10001]);
  const limited = await sandbox.signIn('codes@northwind.test');
  assert.equal((await ask(limited, `GetSupportAttachments/${ticket}`)).status, 404);
  assert.equal((await ask(limited, `DownloadAttachment/${AttachmentId}`)).status, 404);
});

test('a file is what its name says, by its content; what is refused says why and leaves nothing', async () => {
  const before = await countRows();
  const refused = async (name: string, content: string | Buffer, type?: string) =>
    codeOf(await upload(reseller, name, content, '', type));
  assert.equal(await refused('a.exe', 'MZ'), 'AttachmentUnknown');
  assert.equal(await refused('a.png', 'MZ is a program'), 'AttachmentProgram');
  assert.equal(await refused('a.txt', '#!/bin/sh\nrm', 'text/plain'), 'AttachmentProgram');
  assert.equal(await refused('a.png', '<svg onload="x()"/>'), 'AttachmentMarkup');
  assert.equal(await refused('a.txt', '<!-- --><!DOCTYPE html>', 'text/plain'), 'AttachmentMarkup');
  assert.equal(await refused('a.pdf', png, 'application/pdf'), 'AttachmentNotAsNamed');
  assert.equal(await refused('a.csv', Buffer.from([0x61, 0xff, 0x61]), 'text/csv'), 'AttachmentNotAsNamed');
  assert.equal(await refused('a.txt', 'a\0b', 'text/plain'), 'AttachmentNotAsNamed');
  assert.equal(await refused('a.docx', 'PK\x03\x04 nothing of a document'), 'AttachmentNotAsNamed');
  assert.equal(await refused('a.txt', '', 'text/plain'), 'AttachmentEmpty');
  assert.equal(await refused('a.txt', `${'x'.repeat(262_100)}${eicar}`, 'text/plain'), 'AttachmentInfected');
  assert.equal(await countRows(), before);
});

test('a file that is too large, or breaks off, leaves nothing, and sending it again works', async () => {
  const before = await countRows();
  const large = await upload(reseller, 'large.png', Buffer.concat([png, Buffer.alloc(25 * 1024 * 1024)]));
  assert.equal(codeOf(large), 'AttachmentLarge');
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(png);
      controller.error(new Error('the line broke'));
    },
  });
  const sent = fetch(`${sandbox.url}/api/support/UploadFilesSupportTicket?name=a.png`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${reseller}`,
      'actor-id': 'reseller@northwind.test',
      'content-type': 'image/png',
    },
    body: broken,
    duplex: 'half',
  } as RequestInit);
  await assert.rejects(sent);
  assert.equal((await upload(reseller, 'a.png', png)).status, 201);
  const { rows } = await sql<{ names: string[] }>`select array_agg(name order by name) as names from ticket_files f
    join accounts a on a.id = f.account_id where a.username = 'reseller@northwind.test' and is_whole and message_id is null`.execute(
    sandbox.db,
  );
  assert.deepEqual(rows[0]!.names, ['a.png']);
  assert.ok((await countRows()) <= before + 2);
});

test('so many files go with one message, and those that were never sent are deleted after two weeks', async () => {
  const ticket = await openTicket(rival);
  const sent = await Promise.all(
    Array.from({ length: mostAttachments + 2 }, (_, index) =>
      upload(rival, `${index}.txt`, 'x', `&ticketId=${ticket}`, 'text/plain'),
    ),
  );
  assert.deepEqual(sent.map(codeOf).filter(Boolean), ['AttachmentsMany', 'AttachmentsMany']);
  await dropWaiting(sandbox.db, new Date(now.getTime() + 13 * 86_400_000));
  assert.equal((await namesOf(rival, `waiting-attachments?ticketId=${ticket}`)).length, mostAttachments);
  await dropWaiting(sandbox.db, new Date(now.getTime() + 15 * 86_400_000));
  assert.deepEqual(await namesOf(rival, `waiting-attachments?ticketId=${ticket}`), []);
});

test('a scanner that does not answer, or fails, lets nothing through', async () => {
  async function* none(): AsyncGenerator<Buffer> {}
  const silent = { refusals: [{ Field: 'File', Code: 'ScannerSilent' }] };
  await assert.rejects(
    scanFile(() => new Promise(() => undefined), none(), 20),
    silent,
  );
  await assert.rejects(
    scanFile(() => Promise.reject(new Error('gone')), none()),
    silent,
  );
  await scanFile(() => Promise.resolve(undefined), none());
});

test('an account sends so much in a day, and a file that still arrives counts as the largest', async () => {
  const arriving = (count: number) =>
    sql`
    insert into ticket_files (account_id, author, origin, name, type, sent)
    select a.id, 'Rival', 'Order/' || n, 'a.txt', 'text/plain', ${now} from accounts a, generate_series(1, ${count}::int) n
    where a.username = 'rival@southridge.test'`.execute(sandbox.db);
  await arriving(19);
  assert.equal((await upload(rival, 'a.txt', 'x', '', 'text/plain')).status, 201);
  await arriving(1);
  assert.equal(codeOf(await upload(rival, 'b.txt', 'x', '', 'text/plain')), 'AttachmentsOften');
});
