import type { Json, Stage } from './stage.ts';

export const accounts = [
  'reseller@northwind.test',
  'engineer@northwind.test',
  'admin@contoso.test',
  'user@contoso.test',
  'switcher@contoso.test',
  'noaccess@northwind.test',
  'mustsign@northwind.test',
  'buyer@zephyrcycles.test',
  'euro@westhaven.test',
  'unsigned@millbrook.test',
  'seller@millbrook.test',
  'rival@southridge.test',
] as const;

/** Customers of those who have not 10001. */
const customers: Readonly<Record<string, string>> = {
  'buyer@zephyrcycles.test': '10027',
  'rival@southridge.test': '10041',
};
/** Values for the parameters of routes, and of the queries of screens that show nothing without them. */
const values: Readonly<Record<string, string>> = {
  user: '20003',
  agreementId: '2',
  fromReseller: 'false',
  mustSign: 'false',
  policyId: 'company',
  route: 'share-point',
  listing: 'business-analytics',
  name: 'share-point',
  level: '1',
  serviceId: '8',
  subId: '1',
};
const queries: Readonly<Record<string, string>> = {
  '/customers/user-details': '?organisation=10001&user=20003',
  '/customers/customer/{customer}/nce-question': '?serviceRouteName=power-bi',
};

/** Addresses of the tabs that a layout keeps in the query. */
function tabsIn(node: Json): string[] {
  if (node === null || typeof node !== 'object') return [];
  const own = node.type === 'tabs' ? node.tabs.map(({ id }: Json) => `${node.path.replace('route.', '')}=${id}`) : [];
  return [...own, ...Object.values(node).flatMap(tabsIn)];
}

export type Screens = Readonly<
  Record<string, { readonly pattern: string; readonly redirect?: string; readonly data?: Json }>
>;

/** Records the data of every screen that an account sees, its tabs included, in the order of their bytes. */
export async function recordScreens(stage: Stage, account: string): Promise<Screens> {
  const visitor = await stage.signIn(account);
  const { routes } = await visitor.boot();
  const read = (address: string) => visitor.ask('GET', `/ui/screen?path=${encodeURIComponent(address)}`);
  const customer = customers[account] ?? '10001';
  const held = (await read(`/customers/customer/${customer}?tab=services`)).body.data?.services?.Result.Items ?? [];
  const own: Readonly<Record<string, string>> = {
    ...values,
    customer,
    orgId: customer,
    instance: held[0]?.Id,
    instanceId: held[0]?.Id,
  };
  const fill = (pattern: string): string =>
    pattern.replace('/psa/{service}', '/psa/connectwise').replace(/\{(\w+)\}/g, (_, name) => own[name] ?? '1') +
    (queries[pattern] ?? '');
  const open: [string, string][] = routes.map(([pattern = '']: readonly string[]) => [pattern, fill(pattern)]);
  const found: Record<string, Json> = {};
  for (const [pattern, address] of open) {
    const { status, body } = await read(address);
    const { redirect, route, data, layout, Resources } = body;
    if (!/[?&]tab=/.test(address))
      for (const tab of tabsIn(layout)) open.push([pattern, `${address}${address.includes('?') ? '&' : '?'}${tab}`]);
    found[address] = {
      pattern,
      status,
      ...(redirect && { redirect }),
      ...(Resources && { code: Resources.code }),
      route,
      data,
    };
  }
  return found;
}
