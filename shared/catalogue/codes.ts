import codes from './codes.json' with { type: 'json' };

/** How a product is added (document 1, section 4, routing). */
export type Journey = 'classic' | 'new' | 'nce' | 'files' | 'signature';
export type ServiceType = 'modernWorkplace' | 'cloudInfrastructure' | 'security' | 'backupContinuity';
export type OrderLimit = 'Unknown' | 'OncePerReseller' | 'OncePerCustomer' | 'MultiplePerCustomer';
export type Level = 'customer' | 'user';

/** A product as everything knows it (document 2, section 3, catalogue codes). */
export type ProductCode = {
  readonly serviceId: number;
  /** Of service 8 the Microsoft family, of service 6 the plan. */
  readonly subId: number;
  readonly name: string;
  readonly icon: string;
  readonly type: ServiceType;
  readonly marketplaceServiceId: number;
  readonly groupId: number | null;
  /** The service route name of the classic journey (document 1, section 2.4). */
  readonly route: string | null;
  /** Its name in the addresses of managing, where that is another one (document 1, section 2.4). */
  readonly managedAs: string | null;
  readonly journey: Journey;
  /** With the flag CrossSell the journey is the new one. */
  readonly crossSell: boolean;
  /** Of the new journey. */
  readonly listingId: string | null;
  /** The flag without which a caller never sees it. */
  readonly feature: string | null;
  readonly hidden: boolean;
  readonly levels: readonly Level[];
  readonly hiddenAtUserLevel: boolean;
  /** A customer that holds it cannot add it again, whatever the order limit (document 1, section 5). */
  readonly onceForCustomer: boolean;
  /** A user who holds it can be given it again (document 1, section 5). */
  readonly againForUser: boolean;
  readonly orderLimit: OrderLimit;
  readonly chargingModel: string;
  /** Whose agreement it is sold under: cloud platform plan 6 and the suite's cloud sub-service under 20. */
  readonly agreementServiceId: number;
};

export const productCodes = codes.products as readonly ProductCode[];
/** Finds a product by its service and sub-service ids, as numbers or text; undefined for an unknown one. */
export const findProduct = (serviceId: unknown, subId: unknown): ProductCode | undefined =>
  productCodes.find(code => String(code.serviceId) === String(serviceId) && String(code.subId) === String(subId));

/**
 * Lists the products that the name in a managing address stands for: a name of a group, a product's route or its
 * listing.
 */
export const productsNamed = (name: string): readonly ProductCode[] =>
  productCodes.filter(({ managedAs, route, listingId }) => [managedAs, route, listingId].includes(name));

export const serviceTypes = codes.serviceTypes as readonly ServiceType[];
/** Ids of the service groups by name (document 2, section 3). */
export const serviceGroups: Readonly<Record<string, number>> = codes.serviceGroups;
export const serviceKinds: readonly { id: number; name: string; otherName: string | null }[] = codes.serviceKinds;

/**
 * Gives the kind of wizard by which a product is added: the new one where the product has `crossSell` and the caller
 * the feature CrossSell, else the product's own.
 */
export function journeyOf({ journey, crossSell }: ProductCode, hasCrossSell: boolean): Journey {
  return crossSell && hasCrossSell ? 'new' : journey;
}
