import { productCodes } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { anyone } from '../auth/needs.ts';
import { invalid, notFound, notPermitted } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, id, integer, list, object, params, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { printAgreement } from './pdf.ts';
import { hasInk, readPng } from './png.ts';
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
  agreementText,
  countedAgreements,
  lineOf,
  linkedLineOf,
  linkedList,
  readsAgreements,
  sectionOf,
  signatureBody,
  signBody,
} from './shapes.ts';
import { canAgree, canSign, concerns, signAgreements } from './sign.ts';

const tags = ['agreements'];
const config = { needs: anyone };
const reads = { needs: readsAgreements };
const byId = params('agreementId');
/** Pixels that differ from the background. A dot of a pen has about 15, a short stroke 150. */
const leastInk = 60;

/**
 * Adds the routes of agreements, the reseller's with the operator and those of services: list, read, print and sign
 * them.
 */
export function addAgreementRoutes(app: App, { db, now }: Parts): void {
  app.get(
    '/api/agreements/reseller-validity',
    { config, schema: { tags, response: replies(object({ MustSignNow: boolean })) } },
    async ({ signedIn }) => succeed({ MustSignNow: signedIn.mustSign }),
  );

  app.get(
    '/api/agreements/can-agree',
    { config, schema: { tags, response: replies(object({ CanAgree: boolean })) } },
    async ({ signedIn }) => succeed({ CanAgree: canAgree(signedIn) }),
  );

  app.get(
    '/api/agreements',
    {
      config: reads,
      schema: {
        tags,
        querystring: {
          type: 'object',
          additionalProperties: false,
          properties: { status: { enum: ['signed', 'unsigned', 'all'], default: 'all' } },
        },
        response: replies(countedAgreements),
      },
    },
    async ({ signedIn, query: { status } }) => {
      const all = await readAgreements(db, signedIn);
      const concerning = all.filter(agreement => agreement.signed !== null || concerns(signedIn, agreement));
      return succeed(listOf(concerning, signedIn, status));
    },
  );

  app.get(
    '/api/agreements/unsigned-services',
    {
      config: reads,
      schema: {
        tags,
        response: replies(object({ AgreementServiceIds: list(integer) })),
        description: 'The services that cannot be ordered before an agreement is signed.',
      },
    },
    async ({ signedIn }) => {
      const all = await readAgreements(db, signedIn);
      const isUnsigned = (agreement: Agreement) => [agreement, ...linkedTo(all, agreement)].some(isToSign);
      return succeed({ AgreementServiceIds: all.filter(isUnsigned).flatMap(({ service_ids }) => service_ids) });
    },
  );

  app.post(
    '/api/agreements/get-agreements',
    {
      config: reads,
      schema: {
        tags,
        body: object({ ServiceIds: { type: 'array', maxItems: 100, items: { type: 'integer' } } }),
        response: replies(countedAgreements),
      },
    },
    async ({ signedIn, body: { ServiceIds } }) => {
      const all = await readAgreements(db, signedIn);
      const asked = all.filter(({ service_ids }) => service_ids.some(id => ServiceIds.includes(id)));
      return succeed(listOf(asked, signedIn));
    },
  );

  app.get(
    '/api/agreements/linked',
    {
      config: reads,
      schema: {
        tags,
        querystring: {
          type: 'object',
          additionalProperties: false,
          required: ['serviceId'],
          properties: { serviceId: { type: 'integer' }, subId: { type: 'integer' } },
        },
        response: replies(linkedList),
      },
    },
    async ({ signedIn, query: { serviceId, subId } }) => {
      const all = await readAgreements(db, signedIn);
      const Items = findRequiredAgreements(all, agreementServiceOf(serviceId, subId)).linked.map(linkedLineOf);
      return succeed({ Items, Total: Items.length });
    },
  );

  app.get(
    '/api/agreements/signed/:serviceId',
    {
      config: reads,
      schema: {
        tags,
        params: params('serviceId'),
        response: replies(object({ signed: boolean, agreementId: id, title: string })),
      },
    },
    async ({ signedIn, params: { serviceId } }) => {
      const { own } = findRequiredAgreements(await readAgreements(db, signedIn), idOf(serviceId));
      return succeed({ signed: own.signed !== null, agreementId: own.id, title: own.title });
    },
  );

  app.get(
    '/api/agreements/:agreementId',
    { config, schema: { tags, params: byId, response: replies(agreementText) } },
    async ({ signedIn, params: { agreementId } }) => {
      const { all, found } = await find(db, agreementId, signedIn);
      const Sections = (await readSections(db, found.id, found.version)).map(sectionOf);
      return succeed({
        ...lineOf(found, signedIn),
        Paragraphs: Sections.filter(({ Type }) => Type === 3).map(({ Content }, Id) => ({ Id, Text: Content })),
        Sections,
        Versions: signedIn.customerId === null ? await readVersions(db, found.id, signedIn) : [],
        Linked: linkedTo(all, found).map(linkedLineOf),
        CanSign: canSign(signedIn, found),
      });
    },
  );

  app.get(
    '/api/agreements/:agreementId/download',
    {
      config,
      schema: { tags, params: byId, response: { 200: { content: { 'application/pdf': { schema: string } } } } },
    },
    async ({ signedIn, params: { agreementId } }, reply) => {
      const { found } = await find(db, agreementId, signedIn);
      const pdf = await printAgreement(await printed(db, found, signedIn));
      return reply
        .header('content-disposition', `attachment; filename="agreement-${found.id}-v${found.version}.pdf"`)
        .type('application/pdf')
        .send(Buffer.from(pdf));
    },
  );

  app.post(
    '/api/agreements/signature-image',
    {
      config,
      schema: {
        tags,
        body: object({ Image: { type: 'string', maxLength: 140_000 } }),
        response: replies(object({ SignatureImageId: id })),
      },
    },
    async ({ signedIn, body: { Image } }) => {
      if (!canAgree(signedIn) && signedIn.userType !== 'reseller') throw notPermitted();
      const png = readPng(Image);
      if (png === undefined) throw invalid({ Image: ['Must be a PNG picture of at most 100 kB'] });
      if (!hasInk(png, leastInk)) throw invalid({ Image: ['There is no signature in this picture'] });
      const row = await db
        .insertInto('signature_images')
        .values({ account_id: signedIn.accountId, png, created: now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      return succeed({ SignatureImageId: row.id });
    },
  );

  app.post(
    '/api/agreements/:agreementId/sign',
    { config, schema: { tags, params: byId, body: signatureBody, response: replies() } },
    async ({ signedIn, params: { agreementId }, body }) => {
      const { found } = await find(db, agreementId, signedIn);
      await signAgreements(db, signedIn, [found], body, now());
      return done('The agreement was signed.');
    },
  );

  app.post(
    '/api/agreements/sign',
    { config, schema: { tags, body: signBody, response: replies(object({ Signed: integer })) } },
    async ({ signedIn, body }) => {
      if (!canAgree(signedIn)) throw notPermitted();
      const asked = askedFor(await readAgreements(db, signedIn), body);
      await signAgreements(db, signedIn, asked, body, now());
      return succeed(
        { Signed: asked.length },
        asked.length > 1 ? 'The agreements were signed.' : 'The agreement was signed.',
      );
    },
  );
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

type Asked = { AgreementIds?: string[]; ServiceId?: number; MarketplaceServiceId?: number; SubId?: number };

/** Named one by one, or all that a service needs. */
function askedFor(all: readonly Agreement[], { AgreementIds, ServiceId, MarketplaceServiceId, SubId }: Asked) {
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
