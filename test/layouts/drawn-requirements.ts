import type { Json } from '../fixtures/schemas.ts';

export const views = ['viewCanaryA', 'viewCanaryB'];
export const permissions = ['permissionCanaryA', 'permissionCanaryB'];
export const feature = 'featureCanaryA';
/** No gain of the properties puts it on. */
export const otherFeature = 'featureCanaryB';
/** Requirements by their names, and what they mean. */
export const named = {
  'viewer-a': { views: [views[0]] },
  'priced-reseller': { all: [{ userTypes: ['reseller'] }, { prices: true }] },
  'viewer-or-priced': { any: ['viewer-a', 'priced-reseller'] },
};
/** The tests of a requirement; those of the second list can be lost by gaining a right. */
export const requirements: readonly (string | Json)[] = [
  ...Object.keys(named),
  { views: [views[0]] },
  { permissions: [permissions[0]] },
  { permissions },
  { prices: true },
  { userTypes: ['reseller'] },
  { any: [{ views: [views[1]] }, { permissions: [permissions[1]] }] },
  { views: [views[1]], permissions: [permissions[0]] },
  { features: [feature] },
  { all: ['viewer-a', { permissions: [permissions[0]] }] },
  { any: [{ permissions: [permissions[1]] }, 'priced-reseller'] },
  { views, not: { features: [otherFeature] } },
  { all: [{ permissions }, { not: { userTypes: ['endUser'] } }] },
];
export const odd: readonly Json[] = [
  { not: { features: [feature] } },
  { switched: false },
  { not: { features: [feature], switched: true } },
];
