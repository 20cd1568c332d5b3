import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A cloud that answers at once, so that what is measured is the portal; its list of customers differs from one reply to
 * the next, so that nothing could be remembered. Run by `startProcess`.
 */
const user = {
  userName: 'bench@portal.test',
  emailAddress: 'bench@portal.test',
  displayName: 'Bench',
  userType: 'reseller',
  organisationId: '1',
  organisationName: 'Bench',
  currency: 'GBP',
  locale: 'en-GB',
};
const itemsOf = (turn: number) =>
  Array.from({ length: 8 }, (_, index) => ({
    OrganisationId: String(10_000 + index),
    CustomerId: `00000000-0000-4000-8000-00000000000${index}`,
    Name: `Customer number ${1000 + turn + index}`,
    Domain: `customer-${1000 + turn + index}.test`,
    Status: 'Active',
    StatusGroup: 'Active',
    Services: 4,
    Users: 1000 + turn + index,
    MonthlySpend: '1204.5',
    Currency: 'GBP',
    LastChange: '2026-01-01T00:00:00.000Z',
  }));
const counts = { All: 8, Active: 8, Changing: 0, Failed: 0, Suspended: 0 };
const claims = Buffer.from(JSON.stringify({ sub: user.userName, currency: 'GBP', exp: 4_000_000_000 })).toString(
  'base64url',
);
const permissions = {
  usersPermissions: { views: ['home', 'customers'], permissions: ['addOrEditCustomers'] },
  featureFlags: [],
};

const replies: Readonly<Record<string, unknown>> = {
  '/auth/token': {
    access_token: `e30.${claims}.bench`,
    token_type: 'bearer',
    expires_in: 86_400,
    refresh_token: 'bench',
    ...user,
  },
  '/auth/login-flow': { Succeed: true, Result: { loginFlow: 'Legacy' } },
  '/api/users/login-user': { Succeed: true, Result: user },
  '/api/permissions': { Succeed: true, Result: permissions },
  '/api/partner-systems': { Succeed: true, Result: [] },
  '/api/account-settings/display': { Succeed: true, Result: { HidePricing: false, HideBanner: false } },
};
// 2 KB, the reply that is read through the portal; each of them comes once in a thousand requests.
const lists = Array.from({ length: 1000 }, (_, turn) =>
  Buffer.from(
    JSON.stringify({
      Succeed: true,
      Result: {
        Items: itemsOf(turn),
        Page: 1,
        PageSize: 25,
        Total: 8,
        TotalIsExact: true,
        Counts: counts,
        MonthlySpend: '9636',
      },
    }),
  ),
);
let turn = 0;
const bodies = new Map(Object.entries(replies).map(([path, reply]) => [path, Buffer.from(JSON.stringify(reply))]));
const nothing = Buffer.from(JSON.stringify({ Succeed: true, Result: null }));

/** A list of 2,000 in pages of 100, as a file of it is read. */
const longPage = JSON.stringify({
  Succeed: true,
  Result: {
    Items: Array.from({ length: 13 }, (_, index) => itemsOf(index))
      .flat()
      .slice(0, 100),
    Total: 2000,
    Counts: counts,
  },
});
function longList(query: string): Buffer {
  const page = Number(new URLSearchParams(query).get('page'));
  return Buffer.from(page <= 20 ? longPage : longPage.replace(/"Items":\[.*\]/, '"Items":[]'));
}

const server = createServer((request, response) => {
  const [path, query = ''] = (request.url ?? '').split('?');
  const isLong = query.includes('pageSize=100');
  const customers = () => (isLong ? longList(query) : lists[turn++ % lists.length]!);
  const body = path === '/api/customers' ? customers() : (bodies.get(path ?? '') ?? nothing);
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit());
