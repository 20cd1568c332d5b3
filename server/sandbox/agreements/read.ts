import { sql } from 'kysely';
import { findProduct } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import type { Database } from '../tables.ts';

/** The reseller agreement, signed by each reseller account for itself; 0 in an address means this one. */
export const resellerAgreement = 1;

export type Signer = Pick<Caller, 'accountId' | 'resellerId'>;

/** An agreement in its newest version, and who signed that for the reseller. */
export type Agreement = {
  readonly id: number;
  readonly title: string;
  readonly service_ids: readonly number[];
  readonly linked_ids: readonly number[];
  readonly version: number;
  readonly published: Date;
  readonly signatory: string | null;
  readonly signed: Date | null;
};

/**
 * Reads all agreements, each in its newest version, with who signed that version for the signer's reseller and when;
 * the reseller agreement counts as signed only by the signer's own account. `signatory` and `signed` are null where
 * nobody has signed.
 */
export async function readAgreements(db: Database, { accountId, resellerId }: Signer): Promise<Agreement[]> {
  const { rows } = await sql<Agreement>`
    select a.id, a.title, a.service_ids, a.linked_ids::int[] as linked_ids, v.version, v.published, s.signatory, s.signed
    from agreements a
    join lateral (select version, published from agreement_versions where agreement_id = a.id
      order by version desc limit 1) v on true
    left join lateral (select signatory, signed from agreement_signatures
      where agreement_id = a.id and version = v.version and reseller_id = ${resellerId}
        and (a.id <> ${resellerAgreement} or account_id = ${accountId})
      order by signed limit 1) s on true
    order by a.id`.execute(db);
  return rows;
}

/**
 * Gives the id under which the agreement for a service is signed; it may differ from the service id (document 1,
 * section 4; document 2, section 9).
 */
export function agreementServiceOf(serviceId: number, subId?: number): number {
  const code = findProduct(serviceId, subId);
  return code?.agreementServiceId ?? serviceId;
}

/**
 * Finds the agreements that a reseller needs for a service, signed or not: `own`, the agreement of the service itself,
 * and `linked`, those that it requires too.
 * @throws {CloudError} 404 when no agreement covers the service
 */
export function findRequiredAgreements(all: readonly Agreement[], agreementServiceId: number) {
  const own = all.find(({ service_ids }) => service_ids.includes(agreementServiceId));
  if (own === undefined) throw notFound();
  return { own, linked: linkedTo(all, own) };
}

/** Gives the agreements that another one requires too. */
export function linkedTo(all: readonly Agreement[], { linked_ids }: Agreement): Agreement[] {
  return all.filter(({ id }) => linked_ids.includes(id));
}

/**
 * Lists the titles of the agreements that the reseller must still sign before it can order a service.
 * @throws {CloudError} 404 when no agreement covers the service
 */
export async function listUnsignedTitles(db: Database, signer: Signer, agreementServiceId: number): Promise<string[]> {
  const { own, linked } = findRequiredAgreements(await readAgreements(db, signer), agreementServiceId);
  return [own, ...linked].filter(({ signed }) => signed === null).map(({ title }) => title);
}

/** Reads the sections of one version of an agreement. Throws when there is no such version. */
export async function readSections(db: Database, agreementId: number, version: number) {
  const { sections } = await db
    .selectFrom('agreement_versions')
    .select('sections')
    .where('agreement_id', '=', agreementId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  return sections;
}

/**
 * Lists all versions of an agreement, the newest first; each with its first signature for the signer's reseller, or
 * null. Of the reseller agreement only the signature of the signer's own account counts.
 */
export async function readVersions(db: Database, agreementId: number, { accountId, resellerId }: Signer) {
  const { rows } = await sql<{ Version: number; Published: Date; SignedBy: string | null; SignedOn: Date | null }>`
    select v.version as "Version", v.published as "Published", s.signatory as "SignedBy", s.signed as "SignedOn"
    from agreement_versions v
    left join lateral (select signatory, signed from agreement_signatures
      where agreement_id = v.agreement_id and version = v.version and reseller_id = ${resellerId}
        and (agreement_id <> ${resellerAgreement} or account_id = ${accountId})
      order by signed limit 1) s on true
    where v.agreement_id = ${agreementId}
    order by v.version desc`.execute(db);
  return rows;
}
