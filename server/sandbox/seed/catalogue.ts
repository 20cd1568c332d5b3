/** What can be bought. Ids are the spec's service codes (document 2, section 3, catalogue codes). */
export const products = [
  product(1, 1, 'Hosted Exchange', 'mail', 3.95, 'The domain has no MX record that points to us.'),
  product(3, 1, 'Email Security', 'shield', 1.4, 'The inbound route of the domain did not answer.'),
  product(6, 1, 'Cloud Platform', 'cloud', 148, null),
  product(8, 1, 'Office Suite Business', 'grid', 9.4, 'The tenant has not accepted the partner relationship.'),
  product(9, 1, 'Cloud Backup', 'archive', 4.75, null, 'A restore is still running.'),
  product(12, 1, 'Endpoint Security', 'shield-check', 2.1, null),
  product(13, 1, 'Hosted Voice', 'phone', 11.5, 'The number port was refused.', 'A number is being ported away.'),
  product(17, 1, 'Mail Signatures', 'pen', 0.85, 'The connector could not be made.'),
  product(19, 1, 'Contact Centre', 'chat', 34, null),
  product(23, 1, 'Mail Archive', 'inbox', 2.6, null, 'A legal hold is in place.'),
  product(27, 1, 'Phishing Protection', 'spam', 1.95, null),
  product(30, 1, 'Cloud Server', 'server', 62.5, 'No address was free in the chosen network.'),
] as const;

export type Product = (typeof products)[number];

function product(
  service_id: number,
  sub_id: number,
  name: string,
  icon: string,
  monthly_price: number,
  activation_failure: string | null,
  deletion_failure: string | null = null,
) {
  return { service_id, sub_id, name, icon, monthly_price, activation_failure, deletion_failure };
}

export function productNamed(name: string): Product {
  return products.find(product => product.name === name)!;
}

/** Every flag that the two documents name. */
export const featureFlags: Readonly<Record<string, boolean>> = {
  Analytics: false,
  BillingDisableAddCredit: false,
  BillingPlatformAmex: true,
  BillingPlatformPayment: true,
  BillingPlatformReporting: true,
  CrossSell: true,
  DisableLegacyMicrosoftOrders: true,
  DisablePartnerLevelWhitelabel: false,
  EnableSchedulingBillingCycleChangesForEoS: false,
  GDAP: true,
  KnowledgeBase: true,
  LiveChat: true,
  M365AccountLink: true,
  M365SecureUpgrade: false,
  ModifyJourney: true,
  NCEAssignedLicences: true,
  NCEGlobalModify: false,
  NewStatusPage: true,
  'PSA-V2': true,
  PSADataCaching: false,
  PSAScreenOverview: true,
  SingleExperience: false,
  UseNewPSAService: true,
};
