import type { Caller } from '../auth/caller.ts';
import { visibleProducts } from '../marketplace/products.ts';
import type { Database } from '../tables.ts';
import { type VoiceProduct, voiceProducts } from './tables.ts';

type Buyer = Pick<Caller, 'accountId' | 'currency'>;

/** Service and sub-service of each product of hosted voice. */
export const voiceKeys: Readonly<Record<VoiceProduct, readonly [serviceId: number, subId: number]>> = {
  'hosted-voice': [13, 1],
  'hosted-voice-hardware': [15, 1],
};

export type Hardware = {
  readonly Id: string;
  readonly Name: string;
  readonly Description: string;
  readonly Price: number;
  readonly MaxQuantity: number;
};
export type Delivery = {
  readonly Id: string;
  readonly Name: string;
  readonly Description: string;
  readonly Cost: number;
  readonly Days: number;
};

/** Reads what a caller can order of hosted voice, with prices in its currency: licences by the month, the rest once. */
export async function readVoiceCatalogue(db: Database, buyer: Buyer) {
  const isEuro = buyer.currency === 'EUR';
  const visible = await visibleProducts(db, buyer);
  const Products = voiceProducts.flatMap(name => {
    const [serviceId, subId] = voiceKeys[name];
    const found = visible.find(product => product.serviceId === serviceId && product.subId === subId);
    return found ? [{ Id: name, Name: found.name, Summary: found.offer.Summary, Price: found.price }] : [];
  });
  const hardware = await db.selectFrom('voice_hardware').selectAll().orderBy('position').execute();
  const delivery = await db.selectFrom('voice_delivery_options').selectAll().orderBy('position').execute();
  return {
    Products,
    Hardware: hardware.map(
      (row): Hardware => ({
        Id: row.id,
        Name: row.name,
        Description: row.description,
        Price: isEuro ? row.price_eur : row.price,
        MaxQuantity: row.max_quantity,
      }),
    ),
    Delivery: delivery.map(
      (row): Delivery => ({
        Id: row.id,
        Name: row.name,
        Description: row.description,
        Cost: isEuro ? row.cost_eur : row.cost,
        Days: row.days,
      }),
    ),
    Currency: buyer.currency,
  };
}
export type VoiceCatalogue = Awaited<ReturnType<typeof readVoiceCatalogue>>;
