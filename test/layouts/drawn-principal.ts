import type { Principal } from '../../server/access/principal.ts';
import type { Draw } from '../fixtures/draw.ts';
import { someone } from '../fixtures/schemas.ts';
import { feature, otherFeature, permissions, views } from './drawn-requirements.ts';

/** Draws somebody with some of the rights that drawn sets ask for. */
export function drawPrincipal(draw: Draw): Principal {
  const some = (list: readonly string[]) => list.filter(() => draw(2) === 0);
  return someone({
    type: draw(3) === 0 ? 'endUser' : 'reseller',
    views: some(views),
    permissions: some(permissions),
    features: some([feature, otherFeature]),
    prices: draw(2) === 0,
    switched: draw(3) === 0,
  });
}
