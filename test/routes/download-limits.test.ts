import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { asSubject } from '../fixtures/as-subject.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { eventually } from '../fixtures/eventually.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { inTime } from '../fixtures/wait.ts';

/** Milliseconds that the cloud has between two parts of a file: more than a busy machine takes to send the next. */
const patience = 5000;

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const schemas = withEditedSchemas();
setUp(() =>
  schemas.edit('psa/report-operations.json', text =>
    text.replace(/("psa\.movementFile"[\s\S]*?"timeout": )\d+/, `$1${patience}`),
  ),
);
const portal = withPortal(proxy, () => ({ schemasDir: schemas.folder }));
const reseller = withClient(portal, 'reseller@northwind.test');
afterEach(() => proxy.intercept(undefined));

const largest = 32 * 1024 * 1024;
const paper = '/ui/downloads/agreements.download?agreementId=2';
/** Of which the portal gives up after `patience`. */
const report = '/ui/downloads/psa.movementFile';
const isFile = (url: string): boolean => url === '/api/agreements/2/download' || /\/csv\b/i.test(url);
const typeOf = (url: string) => ({ 'content-type': /\/csv\b/i.test(url) ? 'text/csv' : 'application/pdf' });

/** Requests for a file that the cloud has had since `answerFiles`, and those of them that it is rid of. */
let inCloud = { asked: 0, closed: 0 };

/** Answers what is asked for a file; all else goes through. */
function answerFiles(answer: (response: ServerResponse, type: Record<string, string>) => unknown): void {
  // Counted apart: a request of before may end only now.
  const own = { asked: 0, closed: 0 };
  inCloud = own;
  proxy.intercept(({ url }, response) => {
    if (!isFile(url)) return false;
    own.asked += 1;
    response.on('close', () => {
      own.closed += 1;
    });
    void answer(response, typeOf(url));
    return true;
  });
}

function* partsOf(size: number, onPart?: (part: Buffer) => void): Generator<Buffer> {
  const part = Buffer.alloc(64 * 1024, 'portal');
  for (let left = size; left > 0; left -= part.length) {
    const next = part.subarray(0, Math.min(left, part.length));
    onPart?.(next);
    yield next;
  }
}

/** Writes as many bytes as fast as the other side takes them, until it has gone. */
const pour = (response: ServerResponse, ...given: Parameters<typeof partsOf>) =>
  pipeline(Readable.from(partsOf(...given)), response, () => undefined);

/** The answer to a download as it begins. */
async function begin(path: string): Promise<IncomingMessage> {
  const link = await reseller.linkTo(path);
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request(`${portal.url}${link}`, { headers: { cookie: reseller.cookie } }, resolve)
      .on('error', reject)
      .end();
  });
  const begun = await inTime(`The answer to ${path}`, answer);
  // A busy machine took more than the second of the link.
  return begun.statusCode === 410 ? await begin(path) : begun;
}

/** The bytes of an answer, and whether they came to a good end. */
async function read(answer: IncomingMessage): Promise<{ size: number; isWhole: boolean }> {
  let size = 0;
  const take = async (): Promise<boolean> => {
    for await (const chunk of answer) size += (chunk as Buffer).length;
    return answer.complete;
  };
  const isWhole = await inTime(
    'The end of a file',
    take().catch(() => false),
  );
  return { size, isWhole };
}

const codeOf = async (path: string): Promise<string> => (await reseller.file(path)).body.Resources.code;
const isCloudRid = () =>
  eventually(() => inCloud.asked > 0 && inCloud.asked === inCloud.closed, 'the cloud is rid of it');

test('a file that says it is too large is refused before a byte of it', async () => {
  answerFiles((response, type) => {
    response.writeHead(200, { ...type, 'content-length': String(largest + 1) }).write('%PDF');
  });
  assert.equal(await codeOf(paper), 'UPSTREAM_TOO_LARGE');
  await isCloudRid();
});

test('a file of the largest size comes whole, and one without a length that gets larger is cut off there', async () => {
  answerFiles((response, type) => {
    response.writeHead(200, { ...type, 'content-length': String(largest) });
    return pour(response, largest);
  });
  const whole = await begin(paper);
  assert.equal(whole.headers['content-length'], String(largest));
  assert.deepEqual(await read(whole), { size: largest, isWhole: true });
  answerFiles((response, type) => {
    response.writeHead(200, type);
    return pour(response, largest * 2);
  });
  const { size, isWhole } = await read(await begin(paper));
  assert.equal(isWhole, false);
  assert.ok(size <= largest, `${size} bytes`);
  await isCloudRid();
  await eventually(() => /"reason":"UPSTREAM_TOO_LARGE".*"msg":"a file broke off"/.test(portal.log()));
});

test('a file that breaks off in the cloud, or has fewer bytes than it says, is not taken for a whole one', async () => {
  for (const headers of [{}, { 'content-length': '200000' }]) {
    answerFiles((response, type) => {
      response.writeHead(200, { ...type, ...headers });
      response.write(Buffer.alloc(100_000), () => response.destroy());
    });
    assert.equal((await read(await begin(paper))).isWhole, false);
  }
});

test('a cloud that never begins is given up in time, and so is one that stops midway', async () => {
  answerFiles(() => undefined);
  assert.equal(await codeOf(report), 'UPSTREAM_TIMEOUT');
  await isCloudRid();
  answerFiles((response, type) => response.writeHead(200, type).write('a,b\r\n'));
  assert.deepEqual(await read(await begin(report)), { size: 5, isWhole: false });
  await isCloudRid();
});

test('a file that drips for ever is cut off', async () => {
  const dripping: NodeJS.Timeout[] = [];
  answerFiles((response, type) => {
    response.writeHead(200, type);
    dripping.push(setInterval(() => response.write('a,b\r\n'), patience / 10));
  });
  const { size, isWhole } = await read(await begin(report));
  assert.ok(size > 0);
  assert.equal(isWhole, false);
  await isCloudRid();
  for (const timer of dripping) clearInterval(timer);
});

test('a browser that leaves ends the request of the cloud, before the file begins and midway, and is no failure', async () => {
  const before = portal.log().length;
  answerFiles(() => undefined);
  const asking = request(`${portal.url}${await reseller.linkTo(paper)}`, { headers: { cookie: reseller.cookie } });
  asking.on('error', () => undefined).end();
  await eventually(() => inCloud.asked === 1);
  asking.destroy();
  await isCloudRid();

  answerFiles((response, type) => response.writeHead(200, type).write('%PDF'));
  const answer = await begin(paper);
  answer.on('error', () => undefined).destroy();
  await isCloudRid();
  assert.doesNotMatch(portal.log().slice(before), /failed|broke off/);
});

test('a browser that reads slowly has the file whole, and the portal does not hold it meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heldBytes = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const size = largest - 1;
  const sent = createHash('sha256');
  let poured = 0;
  answerFiles((response, type) => {
    response.writeHead(200, type);
    return pour(response, size, part => {
      poured += part.length;
      sent.update(part);
    });
  });
  const before = heldBytes();
  const answer = await begin(report);
  // Longer than the cloud has between two parts.
  await sleep(asSubject(patience * 2));
  const held = heldBytes() - before;
  assert.ok(held < 4 * 1024 * 1024, `${held} bytes are held of ${poured}`);
  const received = createHash('sha256');
  let got = 0;
  const take = async (): Promise<void> => {
    for await (const chunk of answer) {
      got += (chunk as Buffer).length;
      received.update(chunk as Buffer);
    }
  };
  await inTime('The rest of the file', take());
  assert.equal(got, size);
  assert.equal(received.digest('hex'), sent.digest('hex'));
});

test('84: twelve files of one account are under way at once, four times as many wait, and everything else is left to the cloud', async () => {
  const open: ServerResponse[] = [];
  answerFiles((response, type) => {
    response.writeHead(200, type).write('%PDF');
    open.push(response);
  });
  const answers = await Promise.all(Array.from({ length: 12 }, () => begin(paper)));
  const waiting = Array.from({ length: 49 }, () => codeOf(paper));
  assert.equal(await Promise.race(waiting), 'UPSTREAM_BUSY');
  assert.equal((await reseller.get('/ui/data/customers.list?pageSize=1')).status, 200);
  // Those that wait are refused in the end: nothing of this account has come to its end meanwhile.
  assert.deepEqual([...new Set(await Promise.all(waiting))], ['UPSTREAM_BUSY']);
  assert.equal(inCloud.asked, 12);
  for (const response of open) response.end('%EOF');
  const whole = await Promise.all(answers.map(read));
  assert.deepEqual(
    whole.filter(({ isWhole }) => !isWhole),
    [],
  );
  answerFiles((response, type) => response.writeHead(200, type).end('%PDF'));
  assert.equal((await read(await begin(paper))).isWhole, true);
});

test('files that are not answered are asked for no more for a while, and everything else is', async () => {
  answerFiles(() => undefined);
  const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(report)));
  assert.deepEqual([...new Set(codes)], ['UPSTREAM_TIMEOUT']);
  assert.equal(await codeOf(report), 'UPSTREAM_PAUSED');
  assert.equal((await reseller.get('/ui/data/customers.list?pageSize=1')).status, 200);
  answerFiles((response, type) => response.writeHead(200, type).end('a,b\r\n'));
  await eventually(async () => (await reseller.file(report)).status === 200);
});
