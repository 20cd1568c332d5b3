import { productCodes } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { anyOf, permission, readsServices, view } from '../auth/needs.ts';
import { boolean, date, filled, id, integer, list, object, orNull, partial, string } from '../http/schema.ts';
import { type Agreement, resellerAgreement } from './read.ts';
import type { Section } from './tables.ts';

/** Requires a right to see the catalogue or the agreements. */
export const readsAgreements = anyOf(view('serviceAgreements'), permission('signAgreements'), readsServices);

const line = {
  AgreementId: id,
  Title: string,
  Version: integer,
  Published: date,
  Signed: boolean,
  SignedBy: orNull(string),
  SignedOn: orNull(date),
  Services: list(string),
  MustSign: boolean,
} as const;
const linkedLine = object({ AgreementId: id, Title: string, Signed: boolean });

export const agreementList = object({ Items: list(object(line)), Total: integer });
export const countedAgreements = object({
  Items: list(object(line)),
  Total: integer,
  Counts: object({ All: integer, Unsigned: integer, Signed: integer }),
});
export const linkedList = object({ Items: list(linkedLine), Total: integer });

export const agreementText = object({
  ...line,
  Paragraphs: list(object({ Id: id, Text: string })),
  Sections: list(
    object({
      Type: { ...integer, description: '2 header, 3 content, 4 sub-content, 5 list' },
      Content: string,
      ContentLabel: string,
      AnchorValue: string,
      AnchorText: string,
      NestingLevel: integer,
    }),
  ),
  Versions: list(object({ Version: integer, Published: date, SignedBy: orNull(string), SignedOn: orNull(date) })),
  Linked: list(linkedLine),
  CanSign: boolean,
});

const signature = {
  Signatory: filled(100),
  Agreed: boolean,
  SignatureImageId: { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
} as const;

export const signatureBody = partial(signature, 'Signatory', 'Agreed');

export const signBody = {
  ...signatureBody,
  properties: {
    AgreementIds: { type: 'array', minItems: 1, maxItems: 20, items: { type: 'string', pattern: '^\\d{1,9}$' } },
    ServiceId: integer,
    MarketplaceServiceId: integer,
    SubId: integer,
    ...signature,
  },
} as const;

/** Writes an agreement as the reply has it in a list. Only the reseller's own staff see who signed it. */
export function lineOf(agreement: Agreement, { customerId, mustSign }: Caller) {
  const { id, title, version, published, signatory, signed, service_ids } = agreement;
  return {
    AgreementId: id,
    Title: title,
    Version: version,
    Published: published,
    Signed: signed !== null,
    SignedBy: customerId === null ? signatory : null,
    SignedOn: customerId === null ? signed : null,
    Services: productCodes
      .filter(({ agreementServiceId, hidden }) => !hidden && service_ids.includes(agreementServiceId))
      .map(({ name }) => name),
    MustSign: id === resellerAgreement && mustSign,
  };
}

/** Writes an agreement that another one requires too as the reply has it: id, title and whether it is signed. */
export const linkedLineOf = ({ id, title, signed }: Agreement) => ({
  AgreementId: id,
  Title: title,
  Signed: signed !== null,
});

/** Writes a section of an agreement's text as the reply has it. */
export const sectionOf = (section: Section) => ({
  Type: section.type,
  Content: section.content,
  ContentLabel: section.content_label ?? '',
  AnchorValue: section.anchor_value ?? '',
  AnchorText: section.anchor_text ?? '',
  NestingLevel: section.nesting_level ?? 0,
});
