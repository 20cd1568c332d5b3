import { productCodes } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { anyone } from '../auth/needs.ts';
import { invalid, notFound, notPermitted } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { replies, succeed } from '../http/reply.ts';
import { route } from '../http/route.ts';
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
const open = { needs: anyone, tags };
const reads = { needs: readsAgreements, tags };
/** Pixels that differ from the background. A dot of a pen has about 15, a short stroke 150. */
const leastInk = 60;

const query = <const P extends Readonly<Record<string, object>>>(properties: P, ...required: string[]) =>
  ({ type: 'object', additionalProperties: false, required, properties }) as const;

/**
 * Adds the routes of agreements, the reseller's with the operator and those of services: list, read, print and sign
 * them.
 */
export function addAgreementRoutes(app: App, { db, now }: Parts): void {
  const validity = { ...open, reply: object({ MustSignNow: boolean }) };
  route(app, 'GET', '/api/agreements/reseller-validity', validity, async ({ caller }) => ({
    MustSignNow: caller.mustSign,
  }));

  const agreeing = { ...open, reply: object({ CanAgree: boolean }) };
  route(app, 'GET', '/api/agreements/can-agree', agreeing, async ({ caller }) => ({ CanAgree: canAgree(caller) }));

  const byStatus = query({ status: { enum: ['signed', 'unsigned', 'all'], default: 'all' } });
  const counted = { ...reads, query: byStatus, reply: countedAgreements };
  route(app, 'GET', '/api/agreements', counted, async ({ caller, query: { status } }) => {
    const all = await readAgreements(db, caller);
    const concerning = all.filter(agreement => agreement.signed !== null || concerns(caller, agreement));
    return listOf(concerning, caller, status);
  });

  const unsigned = {
    ...reads,
    summary: 'The services that cannot be ordered before an agreement is signed.',
    reply: object({ AgreementServiceIds: list(integer) }),
  };
  route(app, 'GET', '/api/agreements/unsigned-services', unsigned, async ({ caller }) => {
    const all = await readAgreements(db, caller);
    const isUnsigned = (agreement: Agreement) => [agreement, ...linkedTo(all, agreement)].some(isToSign);
    return { AgreementServiceIds: all.filter(isUnsigned).flatMap(({ service_ids }) => service_ids) };
  });

  const serviceIds = object({ ServiceIds: { type: 'array', maxItems: 100, items: { type: 'integer' } } });
  const ofServices = { ...reads, body: serviceIds, reply: countedAgreements };
  route(app, 'POST', '/api/agreements/get-agreements', ofServices, async ({ caller, body: { ServiceIds } }) => {
    const all = await readAgreements(db, caller);
    const asked = all.filter(({ service_ids }) => service_ids.some(id => ServiceIds.includes(id)));
    return listOf(asked, caller);
  });

  const ofProduct = query({ serviceId: { type: 'integer' }, subId: { type: 'integer' } }, 'serviceId');
  const linked = { ...reads, query: ofProduct, reply: linkedList };
  route(app, 'GET', '/api/agreements/linked', linked, async ({ caller, query }) => {
    const all = await readAgreements(db, caller);
    const { serviceId, subId } = query as { serviceId: number; subId?: number };
    const Items = findRequiredAgreements(all, agreementServiceOf(serviceId, subId)).linked.map(linkedLineOf);
    return { Items, Total: Items.length };
  });

  const ofService = { ...reads, reply: object({ signed: boolean, agreementId: id, title: string }) };
  route(app, 'GET', '/api/agreements/signed/:serviceId', ofService, async ({ caller, params: { serviceId } }) => {
    const { own } = findRequiredAgreements(await readAgreements(db, caller), idOf(serviceId));
    return { signed: own.signed !== null, agreementId: own.id, title: own.title };
  });

  const text = { ...open, reply: agreementText };
  route(app, 'GET', '/api/agreements/:agreementId', text, async ({ caller, params: { agreementId } }) => {
    const { all, found } = await find(db, agreementId, caller);
    const Sections = (await readSections(db, found.id, found.version)).map(sectionOf);
    return {
      ...lineOf(found, caller),
      Paragraphs: Sections.filter(({ Type }) => Type === 3).map(({ Content }, Id) => ({ Id, Text: Content })),
      Sections,
      Versions: caller.customerId === null ? await readVersions(db, found.id, caller) : [],
      Linked: linkedTo(all, found).map(linkedLineOf),
      CanSign: canSign(caller, found),
    };
  });

  app.get(
    '/api/agreements/:agreementId/download',
    {
      config: { needs: anyone },
      schema: {
        tags,
        params: params('agreementId'),
        response: { 200: { content: { 'application/pdf': { schema: string } } } },
      },
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

  const drawing = {
    ...open,
    body: object({ Image: { type: 'string', maxLength: 140_000 } }),
    reply: object({ SignatureImageId: id }),
  };
  route(app, 'POST', '/api/agreements/signature-image', drawing, async ({ caller, body: { Image } }) => {
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

  const signing = { ...open, body: signatureBody };
  route(
    app,
    'POST',
    '/api/agreements/:agreementId/sign',
    signing,
    async ({ caller, params: { agreementId }, body }) => {
      const { found } = await find(db, agreementId, caller);
      await signAgreements(db, caller, [found], body, now());
      return 'The agreement was signed.';
    },
  );

  app.post(
    '/api/agreements/sign',
    { config: { needs: anyone }, schema: { tags, body: signBody, response: replies(object({ Signed: integer })) } },
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
