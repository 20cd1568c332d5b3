import type { TypeOf } from '../http/route.ts';
import { email, filled, integer, list, object, orNull, text } from '../http/schema.ts';
import { voiceProducts } from './tables.ts';

const licences = { type: 'integer', minimum: 0, maximum: 1000 } as const;

/** Faults of a site or an address are told by the checks, by the name of the field. */
export const site = object({
  SiteName: text(100),
  Address1: text(100),
  Address2: text(100),
  Town: text(60),
  County: text(60),
  Postcode: text(10),
  DDIBlocks: integer,
  DDIAreaCode: text(10),
  PropertyType: text(20),
});

export const hardwareAddress = object({
  Address1: text(100),
  Address2: text(100),
  Address3: text(100),
  TownCity: text(60),
  County: text(60),
  PostCode: text(10),
  Telephone: text(40),
});

export const voiceOrderBody = object({
  Reference: { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
  SelectedProduct: { enum: voiceProducts },
  Sites: { ...list(site), maxItems: 26 },
  MitelLicences: licences,
  NonMitelLicences: licences,
  CallReportingAddress: { anyOf: [email, { const: '' }] },
  BandwidthConfirmed: { type: 'boolean' },
  Hardware: { ...list(object({ ProductId: filled(40), Quantity: { type: 'integer', minimum: 1 } })), maxItems: 50 },
  DeliveryOption: text(40),
  HardwareAddress: orNull(hardwareAddress),
});
export type Site = TypeOf<typeof site>;
/** An order of hosted voice (document 2, section 3); licences are those to add. */
export type VoiceOrderBody = TypeOf<typeof voiceOrderBody>;
