import { productCodes } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { anyOf, permission, readsServices, view } from '../auth/needs.ts';
import { boolean, date, filled, id, integer, list, object, orNull, partial, string } from '../http/schema.ts';
import { computed } from '../resource/fields.ts';
import { type Agreement, resellerAgreement } from './read.ts';
import type { Section } from './tables.ts';

/** Requires a right to see the catalogue or the agreements. */
export const readsAgreements = anyOf(view('serviceAgreements'), permission('signAgreements'), readsServices);

/** Only the reseller's own staff see who signed it. */
const line = computed<{ readonly agreement: Agreement; readonly caller: Caller }>([
  { name: 'AgreementId', shape: id, of: ({ agreement }) => agreement.id },
  { name: 'Title', of: ({ agreement }) => agreement.title },
  { name: 'Version', shape: integer, of: ({ agreement }) => agreement.version },
  { name: 'Published', shape: date, of: ({ agreement }) => agreement.published },
  { name: 'Signed', shape: boolean, of: ({ agreement }) => agreement.signed !== null },
  {
    name: 'SignedBy',
    shape: orNull(string),
    of: ({ agreement, caller }) => (caller.customerId === null ? agreement.signatory : null),
  },
  {
    name: 'SignedOn',
    shape: orNull(date),
    of: ({ agreement, caller }) => (caller.customerId === null ? agreement.signed : null),
  },
  {
    name: 'Services',
    shape: list(string),
    of: ({ agreement }) =>
      productCodes
        .filter(({ agreementServiceId, hidden }) => !hidden && agreement.service_ids.includes(agreementServiceId))
        .map(({ name }) => name),
  },
  {
    name: 'MustSign',
    shape: boolean,
    of: ({ agreement, caller }) => agreement.id === resellerAgreement && caller.mustSign,
  },
]);
/** Writes an agreement as the reply has it in a list. */
export const lineOf = (agreement: Agreement, caller: Caller) => line.write({ agreement, caller });
const linkedLine = object({ AgreementId: id, Title: string, Signed: boolean });
export const begunLine = object({ AgreementId: id, Title: string, Signed: boolean, Version: integer });

export const agreementList = object({ Items: list(object(line.shapes)), Total: integer });
export const countedAgreements = object({
  Items: list(object(line.shapes)),
  Total: integer,
  Counts: object({ All: integer, Unsigned: integer, Signed: integer }),
});
export const linkedList = object({ Items: list(linkedLine), Total: integer });

const known = { ...line.shapes, Linked: list(linkedLine), CanSign: boolean };
export const agreementInfo = object(known);

export const agreementText = object({
  ...known,
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
});

const signature = {
  Signatory: filled(100),
  Agreed: boolean,
  SignatureImageId: { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
} as const;

/** `Version`: that was read. */
export const signatureBody = partial({ ...signature, Version: { type: 'integer', minimum: 1 } }, 'Signatory', 'Agreed');

const asked = {
  AgreementIds: { type: 'array', minItems: 1, maxItems: 20, items: { type: 'string', pattern: '^\\d{1,9}$' } },
  ServiceId: integer,
  MarketplaceServiceId: integer,
  SubId: integer,
  /** Those that were read, in the order of `AgreementIds`. */
  Versions: { type: 'array', maxItems: 20, items: { type: 'integer', minimum: 1 } },
} as const;
export const beginBody = partial(asked);
export const signBody = { ...signatureBody, properties: { ...asked, ...signature } } as const;

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
