import { sql } from 'kysely';
import { productCodes } from '../../../shared/catalogue/codes.ts';
import type { Write } from '../tables.ts';
import { offers } from './seed-offers.ts';

/** Everything that is sold, as rows. */
const rows = productCodes.map(({ serviceId, subId, name, icon, type }) => {
  const { price, offer, activation, deletion } = offers[`${serviceId}-${subId}`]!;
  return {
    service_id: serviceId,
    sub_id: subId,
    name,
    icon,
    type,
    monthly_price: price,
    monthly_price_eur: Math.round(price * 120) / 100,
    activation_failure: activation,
    deletion_failure: deletion,
    offer,
  };
});

/** Products that the seeded customers hold, in the order that chance picks from. */
export const products = [
  'Hosted Exchange',
  'Email Security',
  'Cloud Platform',
  'Office Suite Business',
  'Cloud Backup',
  'Endpoint Security',
  'Hosted Voice',
  'Mail Signatures',
  'Contact Centre',
  'Mail Archive',
  'Phishing Protection',
  'Cloud Server',
].map(productNamed);

/** Gives the seeded product of this name, which must exist. */
export function productNamed(name: string): (typeof rows)[number] {
  return rows.find(product => product.name === name)!;
}

/** Brings products and feature flags up to this version's catalogue; a flag that somebody set stays. */
export async function insertCatalogue(trx: Write): Promise<void> {
  await trx
    .insertInto('products')
    .values(rows.map(row => ({ ...row, offer: JSON.stringify(row.offer) })))
    .onConflict(known =>
      known.columns(['service_id', 'sub_id']).doUpdateSet(({ ref }) => ({
        name: ref('excluded.name'),
        icon: ref('excluded.icon'),
        type: ref('excluded.type'),
        monthly_price: ref('excluded.monthly_price'),
        monthly_price_eur: ref('excluded.monthly_price_eur'),
        activation_failure: ref('excluded.activation_failure'),
        deletion_failure: ref('excluded.deletion_failure'),
        offer: sql`excluded.offer`,
      })),
    )
    .execute();
  const flags = Object.entries(featureFlags).map(([name, enabled]) => ({ name, enabled }));
  await trx
    .insertInto('feature_flags')
    .values(flags)
    .onConflict(known => known.doNothing())
    .execute();
}

/**
 * Turns on the flag for the upgrade to the secure office suite, which older databases have off without anybody's
 * choice.
 */
export async function openSecureUpgrade(trx: Write): Promise<void> {
  await trx.updateTable('feature_flags').set({ enabled: true }).where('name', '=', 'M365SecureUpgrade').execute();
}

/** Every flag that the two documents name, those of single products, and our own. */
export const featureFlags: Readonly<Record<string, boolean>> = {
  Analytics: false,
  BillingDisableAddCredit: false,
  BillingPlatformAmex: true,
  BillingPlatformPayment: true,
  BillingPlatformReporting: true,
  CrossSell: true,
  DisableLegacyMicrosoftOrders: false,
  DisablePartnerLevelWhitelabel: false,
  EnableSchedulingBillingCycleChangesForEoS: false,
  /** On for the administrator of a new reseller, until the first steps are put away. */
  FirstSteps: false,
  GDAP: true,
  KnowledgeBase: true,
  LiveChat: true,
  M365AccountLink: true,
  M365SecureUpgrade: true,
  ModifyJourney: true,
  NCEAssignedLicences: true,
  NCEGlobalModify: false,
  NewStatusPage: true,
  'PSA-V2': true,
  PSADataCaching: false,
  PSAScreenOverview: true,
  SingleExperience: false,
  UseNewPSAService: true,
  WebFilter: false,
};
