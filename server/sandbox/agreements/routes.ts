import { productCodes } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { anyone } from '../auth/needs.ts';
import { invalid, notFound, notPermitted } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { WithMessage } from '../http/reply.ts';
import { routeAdder, type TypeOf } from '../http/route.ts';
import { type App, boolean, id, integer, list, object, partial, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { hasInk, readPng } from '../printing/png.ts';
import type { Database } from '../tables.ts';
import { printAgreement } from './pdf.ts';
import {
  type Agreement,
  agreementServiceOf,
  findRequiredAgreements,
  linkedTo,
  readAgreements,
  readSections,
  readVersions,
  resellerAgreement,
} from './read.ts';
import {
  agreementInfo,
  agreementText,
  beginBody,
  begunLine,
  countedAgreements,
  lineOf,
  linkedLineOf,
  linkedList,
  readsAgreements,
  sectionOf,
  signatureBody,
  signBody,
} from './shapes.ts';
import { canAgree, canSign, concerns, requireVersions, signAgreements } from './sign.ts';

/** Pixels that differ from the background. A dot of a pen has about 15, a short stroke 150. */
const leastInk = 60;

/**
 * Adds the routes of agreements, the reseller's with the operator and those of services: list, read, print and sign
 * them.
 */
export function addAgreementRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['agreements'], needs: anyone });
  const reads = { needs: readsAgreements };

  const validity = { reply: object({ MustSignNow: boolean }) };
  route('GET /api/agreements/reseller-validity', validity, async ({ caller }) => ({
    MustSignNow: caller.mustSign,
  }));

  const agreeing = { reply: object({ CanAgree: boolean }) };
  route('GET /api/agreements/can-agree', agreeing, async ({ caller }) => ({ CanAgree: canAgree(caller) }));

  const byStatus = partial({ status: { enum: ['signed', 'unsigned', 'all'], default: 'all' } });
  const counted = { ...reads, query: byStatus, reply: countedAgreements };
  route('GET /api/agreements', counted, async ({ caller, query: { status } }) => {
    const all = await readAgreements(db, caller);
    const concerning = all.filter(agreement => agreement.signed !== null || concerns(caller, agreement));
    return listOf(concerning, caller, status);
  });

  const unsigned = {
    ...reads,
    summary: 'The services that cannot be ordered before an agreement is signed.',
    reply: object({ AgreementServiceIds: list(integer) }),
  };
  route('GET /api/agreements/unsigned-services', unsigned, async ({ caller }) => {
    const all = await readAgreements(db, caller);
    const isUnsigned = (agreement: Agreement) => [agreement, ...linkedTo(all, agreement)].some(isToSign);
    return { AgreementServiceIds: all.filter(isUnsigned).flatMap(({ service_ids }) => service_ids) };
  });

  const serviceIds = object({ ServiceIds: { type: 'array', maxItems: 100, items: { type: 'integer' } } });
  const ofServices = { ...reads, body: serviceIds, reply: countedAgreements };
  route('POST /api/agreements/get-agreements', ofServices, async ({ caller, body: { ServiceIds } }) => {
    const all = await readAgreements(db, caller);
    const asked = all.filter(({ service_ids }) => service_ids.some(id => ServiceIds.includes(id)));
    return listOf(asked, caller);
  });

  const ofProduct = partial({ serviceId: integer, subId: integer }, 'serviceId');
  const linked = { ...reads, query: ofProduct, reply: linkedList };
  route('GET /api/agreements/linked', linked, async ({ caller, query }) => {
    const all = await readAgreements(db, caller);
    const Items = findRequiredAgreements(all, agreementServiceOf(query.serviceId, query.subId)).linked.map(
      linkedLineOf,
    );
    return { Items, Total: Items.length };
  });

  const ofService = { ...reads, reply: object({ signed: boolean, agreementId: id, title: string }) };
  route('GET /api/agreements/signed/:serviceId', ofService, async ({ caller, params: { serviceId } }) => {
    const { own } = findRequiredAgreements(await readAgreements(db, caller), idOf(serviceId));
    return { signed: own.signed !== null, agreementId: own.id, title: own.title };
  });

  const inline = {
    ...reads,
    summary: 'The agreements that a product needs, with their text, to be read and signed within its order.',
    query: ofProduct,
    reply: object({ Items: list(agreementText), Total: integer }),
  };
  route('GET /api/agreements/inline', inline, async ({ caller, query }) => {
    const all = await readAgreements(db, caller);
    const { own, linked } = findRequiredAgreements(all, agreementServiceOf(query.serviceId, query.subId));
    const Items = await Promise.all([own, ...linked].map(agreement => textOf(db, all, agreement, caller)));
    return { Items, Total: Items.length };
  });

  const info = { reply: agreementInfo };
  route('GET /api/agreements/:agreementId/info', info, async ({ caller, params: { agreementId } }) => {
    const { all, found } = await find(db, agreementId, caller);
    return infoOf(all, found, caller);
  });

  const text = { reply: agreementText };
  route('GET /api/agreements/:agreementId', text, async ({ caller, params: { agreementId } }) => {
    const { all, found } = await find(db, agreementId, caller);
    return await textOf(db, all, found, caller);
  });

  route('GET /api/agreements/:agreementId/download', { file: 'application/pdf' }, async ({ caller, params }) => {
    const { found } = await find(db, params.agreementId, caller);
    const content = await printAgreement(await printed(db, found, caller));
    return { name: `agreement-${found.id}-v${found.version}`, content };
  });

  const drawing = {
    body: object({ Image: { type: 'string', maxLength: 140_000 } }),
    reply: object({ SignatureImageId: id }),
  };
  route('POST /api/agreements/signature-image', drawing, async ({ caller, body: { Image } }) => {
    if (!canAgree(caller) && caller.userType !== 'reseller') throw notPermitted();
    const png = readPng(Image);
    if (png === undefined) throw invalid({ Image: ['Must be a PNG picture of at most 100 kB'] });
    if (!hasInk(png, leastInk)) throw invalid({ Image: ['There is no signature in this picture'] });
    const row = await db
      .insertInto('signature_images')
      .values({ account_id: caller.accountId, png, created: now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { SignatureImageId: row.id };
  });

  const signing = { body: signatureBody };
  route('POST /api/agreements/:agreementId/sign', signing, async ({ caller, params: { agreementId }, body }) => {
    const { found } = await find(db, agreementId, caller);
    requireVersions([found], body.Version === undefined ? undefined : [body.Version]);
    await signAgreements(db, caller, [found], body, now());
    return 'The agreement was signed.';
  });

  const begun = { body: beginBody, reply: object({ Items: list(begunLine) }) };
  route('POST /api/agreements/begin-sign', begun, async ({ caller, body }) => {
    const asked = askedFor(await readAgreements(db, caller), body);
    if (!asked.every(agreement => canSign(caller, agreement))) throw notPermitted();
    requireVersions(asked, body.Versions);
    return { Items: asked.map(agreement => ({ ...linkedLineOf(agreement), Version: agreement.version })) };
  });

  const several = { body: signBody, reply: object({ Signed: integer }) };
  route('POST /api/agreements/sign', several, async ({ caller, body }) => {
    if (!canAgree(caller)) throw notPermitted();
    const asked = askedFor(await readAgreements(db, caller), body);
    requireVersions(asked, body.Versions);
    await signAgreements(db, caller, asked, body, now());
    const said = asked.length > 1 ? 'The agreements were signed.' : 'The agreement was signed.';
    return new WithMessage({ Signed: asked.length }, said);
  });
}

/** Says what is known of an agreement besides its text. */
function infoOf(all: readonly Agreement[], agreement: Agreement, caller: Caller) {
  return {
    ...lineOf(agreement, caller),
    Linked: linkedTo(all, agreement).map(linkedLineOf),
    CanSign: canSign(caller, agreement),
  };
}

async function textOf(db: Database, all: readonly Agreement[], agreement: Agreement, caller: Caller) {
  const Sections = (await readSections(db, agreement.id, agreement.version)).map(sectionOf);
  return {
    ...infoOf(all, agreement, caller),
    Paragraphs: Sections.filter(({ Type }) => Type === 3).map(({ Content }, Id) => ({ Id, Text: Content })),
    Sections,
    Versions: caller.customerId === null ? await readVersions(db, agreement.id, caller) : [],
  };
}

const isToSign = ({ signed }: Agreement): boolean => signed === null;

/** Lists agreements, all or those in one state; the counts are those of all. */
function listOf(agreements: readonly Agreement[], caller: Caller, status: 'signed' | 'unsigned' | 'all' = 'all') {
  const shown = agreements.filter(agreement => status === 'all' || isToSign(agreement) === (status === 'unsigned'));
  const Unsigned = agreements.filter(isToSign).length;
  return {
    Items: shown.map(agreement => lineOf(agreement, caller)),
    Total: shown.length,
    Counts: { All: agreements.length, Unsigned, Signed: agreements.length - Unsigned },
  };
}

/** Those of a service are only for those who see services. */
async function find(db: Database, agreementId: string, caller: Caller) {
  const all = await readAgreements(db, caller);
  const wanted = agreementId === '0' ? resellerAgreement : idOf(agreementId);
  const found = all.find(({ id }) => id === wanted);
  if (!found || (found.id !== resellerAgreement && !readsAgreements.isMet(caller, {}))) throw notFound();
  return { all, found };
}

/** Named one by one, or all that a service needs. */
function askedFor(
  all: readonly Agreement[],
  { AgreementIds, ServiceId, MarketplaceServiceId, SubId }: TypeOf<typeof beginBody>,
) {
  if (AgreementIds !== undefined) {
    return AgreementIds.map(wanted => {
      const found = all.find(({ id }) => id === Number(wanted));
      if (found === undefined) throw notFound();
      return found;
    });
  }
  const product = productCodes.find(({ marketplaceServiceId }) => marketplaceServiceId === MarketplaceServiceId);
  const serviceId = ServiceId ?? product?.serviceId;
  if (serviceId === undefined) throw invalid({ AgreementIds: ['Agreement ids is required'] });
  const { own, linked } = findRequiredAgreements(all, agreementServiceOf(serviceId, SubId ?? product?.subId));
  return [own, ...linked];
}

async function printed(db: Database, found: Agreement, { accountId, resellerId, customerId }: Caller) {
  const { id, title, version, signatory, signed } = found;
  const sections = await readSections(db, id, version);
  if (signed === null || customerId !== null) return { title, version, sections, signature: '', image: null };
  const drawn = await db
    .selectFrom('agreement_signatures as s')
    .innerJoin('signature_images as image', 'image.id', 's.image_id')
    .where('s.agreement_id', '=', id)
    .where('s.version', '=', version)
    .where('s.reseller_id', '=', resellerId)
    .$if(id === resellerAgreement, query => query.where('s.account_id', '=', accountId))
    .orderBy('s.signed')
    .select('image.png')
    .executeTakeFirst();
  const day = signed.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return { title, version, sections, signature: `Signed by ${signatory} on ${day}`, image: drawn?.png ?? null };
}
