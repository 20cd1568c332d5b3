import type { JSONColumnType } from 'kysely';
import type { ServiceType } from '../../../shared/catalogue/codes.ts';
import type { Offer } from './offer.ts';

declare module '../tables.ts' {
  interface Tables {
    products: {
      service_id: number;
      sub_id: number;
      name: string;
      icon: string;
      type: ServiceType;
      monthly_price: number;
      monthly_price_eur: number;
      activation_failure: string | null;
      deletion_failure: string | null;
      offer: JSONColumnType<Offer>;
    };
  }
}
