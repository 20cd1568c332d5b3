import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPng } from '../../server/sandbox/printing/png.ts';
import { readPdf } from '../fixtures/pdf-text.ts';
import { makeBlankPng, makePng, signatureImage } from '../fixtures/png.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, [
  'unsigned@millbrook.test',
  'seller@millbrook.test',
  'reseller@northwind.test',
  'admin@contoso.test',
]);

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const call = (who: string, method: string, path: string, body?: unknown) =>
  sandbox.call(tokens[who]!, method, `/api/agreements${path}`, body);
const get = async (who: string, path: string) => (await call(who, 'GET', path)).body.Result;
const signing = { Signatory: 'Mara Brook', Agreed: true };

test('agreements are signed for a reseller and service, and most are already', async () => {
  const { Items } = await get('unsigned', '');
  assert.deepEqual(
    Items.filter(({ Signed }: Row) => !Signed).map(({ Title }: Row) => Title),
    [
      'Office suite agreement',
      'Customer terms of the office suite',
      'Cloud platform agreement',
      'Cloud plan agreement',
    ],
  );
  assertEvery((await get('reseller', '')).Items, ({ Signed }: Row) => Signed);
  const unsigned = await get('unsigned', '?status=unsigned');
  assert.deepEqual([unsigned.Total, unsigned.Counts], [4, { All: 11, Unsigned: 4, Signed: 7 }]);
  assert.deepEqual(await get('unsigned', '/unsigned-services'), { AgreementServiceIds: [8, 6, 20] });
  assert.deepEqual(await get('reseller', '/unsigned-services'), { AgreementServiceIds: [] });
  assert.deepEqual(await get('unsigned', '/signed/8'), {
    signed: false,
    agreementId: '2',
    title: 'Office suite agreement',
  });
  assert.equal((await get('unsigned', '/signed/1')).agreementId, '6');
  const plan = await get('reseller', '/signed/20');
  assert.deepEqual([plan.signed, plan.agreementId], [true, '5']);
  for (const id of ['0', '999', 'x', '1e1']) assert.equal((await call('unsigned', 'GET', `/signed/${id}`)).status, 404);
});

test('the office suite has a linked agreement; plan 6 and the suite’s cloud are sold under another one', async () => {
  const linked = (await get('unsigned', '/linked?serviceId=8&subId=1')).Items;
  assert.deepEqual(linked, [{ AgreementId: '3', Title: 'Customer terms of the office suite', Signed: false }]);
  for (const ids of ['serviceId=8&subId=6', 'serviceId=6&subId=6', 'serviceId=1']) {
    assert.equal((await get('unsigned', `/linked?${ids}`)).Total, 0);
  }
  const { Items } = (await call('unsigned', 'POST', '/get-agreements', { ServiceIds: [8, 20] })).body.Result;
  assert.deepEqual(
    Items.map(({ AgreementId }: Row) => AgreementId),
    ['2', '5'],
  );
  assert.ok(Items[0].Services.includes('Office Suite Business'));
  assert.deepEqual(Items[1].Services, ['Cloud Platform Plan', 'Cloud Platform Subscription']);
});

test('an agreement is read in sections with anchors, and says who signed which version when', async () => {
  const read = await get('reseller', '/2');
  assert.deepEqual([read.Version, read.Signed, read.SignedBy, read.CanSign], [2, true, 'Priya Raman', true]);
  assert.deepEqual(
    read.Versions.map(({ Version, SignedBy }: Row) => [Version, SignedBy]),
    [
      [2, 'Priya Raman'],
      [1, 'Priya Raman'],
    ],
  );
  const anchors = read.Sections.filter(({ Type }: Row) => Type === 2).map(({ AnchorValue }: Row) => AnchorValue);
  assert.equal(new Set(anchors).size, 6);
  assert.deepEqual(
    read.Linked.map(({ AgreementId }: Row) => AgreementId),
    ['3'],
  );
  assert.equal((await get('admin', '/2')).SignedBy, null);
  assert.deepEqual((await get('admin', '/2')).Versions, []);
  assert.equal((await call('reseller', 'GET', '/99')).status, 404);
});

test('the facts of an agreement are read without its text, and those of a product with it', async () => {
  const { Title, Version, CanSign, Linked, Sections } = await get('unsigned', '/2/info');
  assert.deepEqual([Title, Version, CanSign, Sections], ['Office suite agreement', 2, true, undefined]);
  assert.deepEqual(Linked, [{ AgreementId: '3', Title: 'Customer terms of the office suite', Signed: false }]);
  assert.equal((await call('reseller', 'GET', '/99/info')).status, 404);
  const { Items, Total } = await get('unsigned', '/inline?serviceId=8&subId=1');
  assert.equal(Total, 2);
  assert.deepEqual(
    Items.map(({ AgreementId, Sections }: Row) => [AgreementId, Sections.length > 5]),
    [
      ['2', true],
      ['3', true],
    ],
  );
  assert.equal((await call('unsigned', 'GET', '/inline?serviceId=999')).status, 404);
});

test('signing begins with the versions that would be signed, and one that was not read is never signed', async () => {
  const begun = await call('unsigned', 'POST', '/begin-sign', { AgreementIds: ['4'] });
  const line = { AgreementId: '4', Title: 'Cloud platform agreement', Signed: false, Version: 1 };
  assert.deepEqual(begun.body.Result.Items, [line]);
  assert.equal((await call('seller', 'POST', '/begin-sign', { AgreementIds: ['4'] })).status, 403);
  const of = (version: number) => ({ AgreementIds: ['4'], Versions: [version] });
  for (const body of [of(2), { AgreementIds: ['4'], Versions: [] }]) {
    const began = await call('unsigned', 'POST', '/begin-sign', body);
    const signed = await call('unsigned', 'POST', '/sign', { ...body, ...signing });
    for (const { status, body } of [began, signed])
      assert.deepEqual(
        [status, body.Refusals],
        [409, [{ Code: 'AgreementRenewed', Data: { Agreement: 'Cloud platform agreement' } }]],
      );
  }
  assert.equal((await get('unsigned', '/4')).Signed, false);
});

test('only who may sign signs, and only by agreeing', async () => {
  assert.deepEqual(await get('seller', '/can-agree'), { CanAgree: false });
  assert.deepEqual(await get('admin', '/can-agree'), { CanAgree: false });
  assert.deepEqual(await get('unsigned', '/can-agree'), { CanAgree: true });
  const body = { ServiceId: 6, SubId: 1, ...signing };
  assert.equal((await call('seller', 'POST', '/sign', body)).status, 403);
  assert.equal((await call('seller', 'POST', '/4/sign', signing)).status, 403);
  const refused = await call('unsigned', 'POST', '/sign', { ...body, Agreed: false });
  assert.deepEqual(refused.body.Errors, { Agreed: ['This is required'] });
  for (const wrong of [{ ...body, Signatory: ' ' }, { ...body, Signatory: 'x'.repeat(101) }, { ...signing }])
    assert.equal((await call('unsigned', 'POST', '/sign', wrong)).status, 400);
  assert.equal((await call('unsigned', 'POST', '/sign', { AgreementIds: ['4', '99'], ...signing })).status, 404);
  assert.equal((await get('unsigned', '/signed/6')).signed, false);
});

test('signing for a service signs its agreement and the linked ones, for everyone of the reseller', async () => {
  const { SignatureImageId } = (await call('unsigned', 'POST', '/signature-image', { Image: signatureImage })).body
    .Result;
  const body = { ServiceId: 8, SubId: 1, ...signing, Signatory: ' Mära Brøok 😀 ', SignatureImageId };
  const replies = await Promise.all([1, 2].map(() => call('unsigned', 'POST', '/sign', body)));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await get('seller', '/signed/8')).signed, true);
  assert.equal((await get('seller', '/linked?serviceId=8')).Items[0].Signed, true);
  const { SignedBy, Versions } = await get('seller', '/2');
  assert.deepEqual([SignedBy, Versions[1].SignedBy], ['Mära Brøok 😀', null]);
  assert.equal((await get('unsigned', '/signed/20')).signed, false);
});

test('a new version has to be signed again', async () => {
  await sandbox.db
    .insertInto('agreement_versions')
    .values({ agreement_id: 9, version: 2, published: new Date(), sections: '[]' })
    .execute();
  const { Signed, Versions } = await get('reseller', '/9');
  assert.deepEqual([Signed, Versions[0].SignedBy, Versions[1].SignedBy], [false, null, 'Priya Raman']);
  assert.equal((await call('reseller', 'POST', '/9/sign', { ...signing, Signatory: 'Priya R.' })).status, 200);
  assert.equal((await get('reseller', '/9')).SignedBy, 'Priya R.');
});

function download(id: string): Promise<Response> {
  const headers = { authorization: `Bearer ${tokens.unsigned}`, 'actor-id': 'unsigned@millbrook.test' };
  return fetch(`${sandbox.url}/api/agreements/${id}/download`, { headers });
}

test('an agreement is downloaded as a PDF, with the signature on it, whatever its letters', async () => {
  const reply = await download('2');
  assert.equal(reply.headers.get('content-type'), 'application/pdf');
  assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="agreement-2-v2.pdf"');
  const bytes = Buffer.from(await reply.arrayBuffer());
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
  const { Sections } = await get('seller', '/2');
  const text = readPdf(bytes).text.replace(/\s+/g, '');
  for (const { Content } of notEmpty<{ Content: string }>(Sections))
    for (const line of Content.split('|'))
      assert.ok(text.includes(line.replace(/\s+/g, '')), `"${line}" is not in the document`);
  assert.ok(text.includes('OfficesuiteagreementVersion2'), text.slice(0, 100));
  assert.ok(text.includes('SignedbyMäraBrøok[U+1F600]on'), text.slice(-300));
  assert.ok(text.endsWith('Officesuiteagreement,version2.Page1of1'), text.slice(-100));
  assert.equal((await download('99')).status, 404);
});

test('the PDF tells a screen reader its language, its title, and what each part of it is', async () => {
  const reply = await download('2');
  const { source, pages } = readPdf(Buffer.from(await reply.arrayBuffer()));
  assert.match(source, /\/Lang \(en-GB\)/);
  const [, title] = /\/Title (\d+) 0 R/.exec(source) ?? [];
  assert.ok(source.includes(`\n${title} 0 obj\n(Office suite agreement)`), `title ${title}`);
  assert.match(source, /\/DisplayDocTitle true/);
  assert.match(source, /\/Marked true/);
  assert.match(source, /\/StructTreeRoot \d+ 0 R/);
  assert.match(source, /\/Alt \(Signature\)/);
  for (const tag of ['Document', 'H1', 'H2', 'P', 'Figure'])
    assert.match(source, new RegExp(`/S /${tag}\\b`), `nothing is tagged as ${tag}`);
  for (const page of pages) {
    const untagged = page.replace(/\/\w+ <<[^>]*>> BDC[\s\S]*?\bEMC\b/g, '').match(/ T[jJ]\b/g);
    assert.equal(untagged, null, 'text stands outside of the tags');
  }
});

test('a signature is a whole PNG of sane size and one’s own', async () => {
  assert.ok(readPng(makePng(300, 80)));
  const good = makePng(20, 20, { inked: 100 });
  const bytes = Buffer.from(good.split(',')[1]!, 'base64');
  const encode = (changed: Buffer) => `data:image/png;base64,${changed.toString('base64')}`;
  const broken = [
    '',
    'data:image/png;base64,',
    good.replace('image/png', 'image/svg+xml'),
    encode(bytes.subarray(0, -3)),
    encode(Buffer.from(bytes.with(20, 9))),
    encode(Buffer.from('<svg onload=alert(1)>')),
    makePng(2001, 1),
    makePng(20, 20, { rows: 5000 }),
    makePng(20, 20, { rows: 19 }),
  ];
  for (const image of broken) {
    const { status, body } = await call('unsigned', 'POST', '/signature-image', { Image: image });
    assert.deepEqual(
      [status, body.Errors],
      [400, { Image: ['Must be a PNG picture of at most 100 kB'] }],
      image.slice(0, 60),
    );
  }
  const mine = (await call('unsigned', 'POST', '/signature-image', { Image: good })).body.Result;
  const stolen = await call('reseller', 'POST', '/4/sign', { ...signing, ...mine });
  assert.deepEqual([stolen.status, Object.keys(stolen.body.Errors)], [400, ['SignatureImageId']]);
});

test('a picture without a signature is refused: an empty one, and a dot', async () => {
  const post = (Image: string) => call('unsigned', 'POST', '/signature-image', { Image });
  for (const inked of [0, 1, 16]) {
    const { status, body } = await post(makePng(300, 80, { inked }));
    assert.deepEqual([status, body.Errors], [400, { Image: ['There is no signature in this picture'] }], `${inked}`);
  }
  for (const filter of ['sub', 'up', 'paeth'] as const)
    assert.equal((await post(makeBlankPng(300, 80, filter))).status, 400, filter);
  assert.equal((await post(makePng(300, 80, { inked: 200 }))).status, 200);
});
