import type { FromSchema } from 'json-schema-to-ts';
import type { Caller } from '../auth/caller.ts';
import { allOf, type Need, ofReseller, view } from '../auth/needs.ts';
import { addressFields } from '../customers/write.ts';
import { notFound, notPermitted } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, email, id, integer, list, object, partial, phone, string, text } from '../http/schema.ts';
import { requireSeesAll } from '../limits/limit.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { areas } from './areas.ts';
import { readCompany, saveCompany } from './company.ts';
import { askedFields, progressOf } from './progress.ts';
import type { CompanyFacts } from './tables.ts';

/** Document 1, section 2.6: my business needs the view, and nobody who only uses a service has it. */
const seesBusiness: Need = allOf(view('myBusiness'), {
  label: 'no end user',
  isMet: ({ userType }) => userType !== 'endUser',
});

const managesBusiness = allOf(seesBusiness, ofReseller);

const optional = <const S extends object>(shape: S) => ({ anyOf: [shape, { type: 'string', const: '' }] }) as const;
const website = { ...text(200), pattern: '^$|^https?://[^\\s/?#@.]+(?:\\.[^\\s/?#@.]+)+(?:[/?#][^\\s@]*)?$' } as const;
const sizes = ['', 'Micro', 'Small', 'Medium', 'Large'] as const;

/** The address of a reseller, by the column; that of a customer is kept by its reseller. */
const contact = {
  Email: 'email',
  Phone: 'phone',
  Address1: 'address1',
  Address2: 'address2',
  TownCity: 'town_city',
  County: 'county',
  PostCode: 'post_code',
} as const;
const registered = {
  TradingName: 'trading_name',
  CompanyNumber: 'company_number',
  TaxNumber: 'tax_number',
  Website: 'website',
} as const;

const companyBody = partial(
  {
    TradingName: text(100),
    CompanyNumber: { ...text(12), pattern: '^(?:[A-Za-z0-9]{5,12})?$' },
    TaxNumber: { ...text(20), pattern: '^(?:[A-Za-z]{2}[A-Za-z0-9 ]{5,18})?$' },
    Website: website,
    Email: optional(email),
    Phone: phone,
    ...addressFields,
    Version: integer,
  },
  'Version',
);
const informationBody = partial(
  {
    Size: { ...string, enum: sizes },
    About: { type: 'string', maxLength: 1000 },
    Version: integer,
  },
  'Version',
);

const company = object({
  Name: string,
  ...Object.fromEntries(Object.keys({ ...registered, ...contact }).map(name => [name, string])),
  ChangedBy: string,
  Version: integer,
});
const information = object({
  Size: { ...string, enum: sizes },
  About: string,
  Version: integer,
});
const progress = object({
  Done: integer,
  Of: integer,
  Missing: list(object({ Id: id, Field: { ...string, enum: askedFields } })),
});
const choices = list(object({ Id: id, Name: string, IsChosen: boolean }));
const choiceBody = object({ IsChosen: boolean });

const idOfName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

async function definedProducts(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('products').select('name').distinct().orderBy('name').execute();
  return rows.map(({ name }) => name);
}

/** The columns that a body changes. @throws {CloudError} 403 where a customer would change its address */
function changesIn(caller: Caller, body: FromSchema<typeof companyBody>): Partial<CompanyFacts> {
  if (caller.customerId !== null && Object.keys(body).some(name => name in contact)) throw notPermitted();
  const columns = Object.entries({ ...registered, ...contact }) as [keyof typeof body, keyof CompanyFacts][];
  return Object.fromEntries(
    columns.flatMap(([name, column]) => (body[name] === undefined ? [] : [[column, String(body[name]).trim()]])),
  );
}

/**
 * Adds the routes of my business (document 2, section 7: company info): what the caller's company says about itself, and
 * how much of that is still to be said. Invoices have the address and VAT number of a reseller from here.
 */
export function addCompanyRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['my-business'], needs: seesBusiness });
  const isReseller = ({ customerId }: Caller): boolean => customerId === null;

  route('GET /api/companyinfo', { reply: company }, async ({ caller }) => {
    const found = await readCompany(db, caller);
    const told = Object.entries({ ...registered, ...contact }).map(([name, column]) => [name, found[column]]);
    return {
      Name: caller.customerName ?? caller.resellerName,
      ...Object.fromEntries(told),
      ...{ ChangedBy: found.changed_by, Version: found.version },
    };
  });
  route('PUT /api/companyinfo', { body: companyBody, once: true }, async ({ caller, body, trx }) => {
    requireSeesAll(caller);
    const changes = changesIn(caller, body);
    await saveCompany(trx, caller, { version: body.Version, now: now() }, () => changes);
    return 'Your company details are saved.';
  });

  route('GET /api/companyinfo/information', { reply: information }, async ({ caller }) => {
    const { size: Size, about: About, version: Version } = await readCompany(db, caller);
    return { Size, About, Version };
  });
  route('PUT /api/companyinfo/information', { body: informationBody, once: true }, async ({ caller, body, trx }) => {
    requireSeesAll(caller);
    const changes = {
      ...(body.Size !== undefined && { size: body.Size }),
      ...(body.About !== undefined && { about: body.About.trim() }),
    };
    await saveCompany(trx, caller, { version: body.Version, now: now() }, () => changes);
    return 'What you do is saved.';
  });

  route('GET /api/companyinfo/progress', { reply: progress }, async ({ caller }) =>
    progressOf(await readCompany(db, caller), isReseller(caller)),
  );

  for (const { path, column, needs, offer } of [
    { path: 'definedProducts', column: 'products', needs: managesBusiness, offer: definedProducts },
    { path: 'areasType', column: 'areas', needs: seesBusiness, offer: async () => areas },
  ] as const) {
    route(`GET /api/companyinfo/${path}`, { needs, reply: choices }, async ({ caller }) => {
      const chosen = (await readCompany(db, caller))[column] as readonly string[];
      return (await offer(db)).map(Name => ({ Id: idOfName(Name), Name, IsChosen: chosen.includes(Name) }));
    });
    route(`PUT /api/companyinfo/${path}/:id`, { needs, body: choiceBody, once: true }, async ({ caller, ...call }) => {
      requireSeesAll(caller);
      const offered = await offer(db);
      const name = offered.find(one => idOfName(one) === call.params.id);
      if (name === undefined) throw notFound();
      await saveCompany(call.trx, caller, { now: now() }, before => ({
        [column]: offered.filter(one => (one === name ? call.body.IsChosen : before[column].includes(one))),
      }));
      return 'Your choice is saved.';
    });
  }
}
