import type { ScreenLayout } from '../../../shared/language/types.ts';
import { routeScope } from '../../../shared/rules/route.ts';
import { PortalError } from '../../errors.ts';
import type { Caller } from '../../operations/caller.ts';
import { isAwaited } from './awaited-stage.ts';
import { cleanAddress } from './clean-address.ts';
import { readFirstData } from './first-data.ts';
import { type Resolved, resolveScreen } from './resolve-screen.ts';
import type { RouteParts } from './route-dependencies.ts';

/** A screen as it leaves, or where to go instead. */
export type ScreenText =
  | { readonly redirect: string }
  | { readonly json: string; readonly screen: Exclude<Resolved, { redirect: string }> };

/**
 * Writes the JSON of a ScreenReply (shared/contract/boot.ts) for an address: layout and first data. Leaves out the
 * layout whose hash the browser has (`have`). Throws NOT_FOUND and SESSION_ENDED.
 */
export async function writeScreen(
  { services, memory, patience }: RouteParts,
  caller: Caller,
  address: string,
  have?: string,
): Promise<ScreenText> {
  const found = resolveScreen(caller, address);
  if ('redirect' in found) return found;
  if (!(await isAwaited(services.signInStages, found, caller.stage)))
    return { redirect: found.query.size === 0 ? '/login' : `/login?${found.query}` };
  const clean = cleanAddress(caller, found, address);
  if (clean !== undefined) return { redirect: clean };
  const { layout: trimmed, parameters, query } = found;
  memory.note(caller.access, trimmed);
  try {
    const data = await readFirstData(
      services,
      caller,
      trimmed.layout as ScreenLayout,
      routeScope(parameters, query),
      patience,
    );
    const layout = have === trimmed.hash ? '' : `"layout":${trimmed.bytes.toString('utf8')},`;
    return {
      json: `{"hash":"${trimmed.hash}","route":${JSON.stringify(parameters)},${layout}"data":${JSON.stringify(data)}}`,
      screen: found,
    };
  } catch (error) {
    if (error instanceof PortalError && error.code === 'PERMISSION_NOT_FOUND') return { redirect: '/permission-error' };
    if (error instanceof PortalError && error.code === 'NOT_FOUND') return { redirect: '/not-found' };
    throw error;
  }
}
