import type { PortalCall } from '../../shared/language/operation.ts';
import type { Operation } from '../../shared/language/types.ts';
import type { CloudReply, CloudRequest } from '../cloud/call.ts';
import { PortalError } from '../errors.ts';
import type { Caller } from '../operations/caller.ts';
import { sessionOf } from '../operations/caller.ts';
import { orDeclined } from '../operations/cloud-refusal.ts';
import type { Services } from '../operations/services.ts';
import { readRequestable } from './access-requests/requestable.ts';
import { listLanguages, listTimeZones } from './account-setting/region.ts';
import {
  endOtherSessions,
  endOwnSession,
  endSessionOf,
  listOwnSessions,
  listSessionsOf,
  readLogOf,
  readOwnLog,
  staffAccount,
  userAccount,
} from './account-setting/sign-ins.ts';
import { exportNews, listExports, noteExportTold, removeExport } from './exports/export-files.ts';
import { listApiOperations } from './manage-api/api-keys.ts';
import { currentAnnouncement, currentNotice } from './notifications/announcement.ts';
import type { PortalAnswer, PortalRequest } from './portal-answer.ts';
import { businessSystem } from './psa/business-system.ts';
import { roleEffects } from './roles/role-effects.ts';
import { roleReasons } from './roles/role-reasons.ts';
import { personTicks, roleTicks } from './roles/role-ticks.ts';
import { listActs, whoCan } from './roles/who-can.ts';
import { customersToChoose, productsToChoose } from './selling/add-choices.ts';
import { agreementsToSign } from './selling/agreements-to-sign.ts';
import { orderAddress } from './selling/order-address.ts';
import { readManagedServices } from './services/managed-services.ts';

/** Files are sent by `routes/export-file.ts`. */
const answers: Readonly<Record<Exclude<PortalCall, `GET /exports/${string}`>, PortalAnswer>> = {
  'GET /sessions': listOwnSessions,
  'POST /sessions/{session}/end': endOwnSession,
  'POST /sessions/end-others': endOtherSessions,
  'GET /security-log': readOwnLog,
  'GET /people/{userName}/sessions': asked => listSessionsOf(asked, staffAccount),
  'POST /people/{userName}/sessions/{session}/end': asked => endSessionOf(asked, staffAccount),
  'GET /people/{userName}/security-log': asked => readLogOf(asked, staffAccount),
  'GET /customers/{customerId}/users/{userId}/sessions': asked => listSessionsOf(asked, userAccount),
  'POST /customers/{customerId}/users/{userId}/sessions/{session}/end': asked => endSessionOf(asked, userAccount),
  'GET /customers/{customerId}/users/{userId}/security-log': asked => readLogOf(asked, userAccount),

  'GET /exports': listExports,
  'GET /export-news': exportNews,
  'POST /exports/{exportId}/told': noteExportTold,
  'POST /exports/{exportId}/remove': removeExport,

  async 'GET /second-factor'({ session, services }) {
    const state = await services.secondFactors.read(session.credentials);
    const { available, enabled, required, recoveryCodes } = state;
    return { Available: available, Enabled: enabled, Required: required, RecoveryCodes: recoveryCodes };
  },

  async 'GET /work-account'({ caller, services }) {
    return { Waiting: (await services.signInStages.find(caller.stage, 'work-account')) !== undefined };
  },

  'GET /time-zones': listTimeZones,
  'GET /languages': listLanguages,

  'GET /add-product/products': productsToChoose,
  'GET /add-product/customers': customersToChoose,
  'GET /managed-services': readManagedServices,
  'GET /business-systems/{service}': businessSystem,
  'GET /order-address': orderAddress,
  'GET /agreements-to-sign': agreementsToSign,
  'GET /role-effects': roleEffects,
  'GET /role-reasons/{user}': roleReasons,
  'GET /role-acts': listActs,
  'GET /api-operations': listApiOperations,
  'GET /who-can': whoCan,
  'GET /role-ticks/{roleId}': roleTicks,
  'GET /person-ticks/{user}': personTicks,
  'GET /requestable/{mark}': readRequestable,
  'GET /announcement': currentAnnouncement,
  'GET /notice': currentNotice,
};

/** True for an operation that the portal answers itself, instead of the cloud. */
export const isPortalOperation = ({ service }: Operation): boolean => service === 'portal';

/**
 * Answers an operation of the portal itself, in the envelope of a cloud reply. The caller's right and the parameters
 * have been checked.
 * @throws {PortalError} as the operation
 */
export async function answerOwn(
  services: Services,
  caller: Caller,
  { operation, parameters, signal }: CloudRequest,
): Promise<CloudReply> {
  const answer = answers[`${operation.method} ${operation.path}` as keyof typeof answers] as PortalAnswer | undefined;
  if (!answer) throw new PortalError('INTERNAL', { detail: `no answer to ${operation.method} ${operation.path}` });
  const asked: PortalRequest = {
    ...{ caller, parameters, services, signal },
    get session() {
      return sessionOf(asked);
    },
  };
  const made = async (): Promise<CloudReply> => {
    const Result = await answer(asked);
    return { status: 200, envelope: { Succeed: true, ...(Result !== undefined && { Result }) } };
  };
  return orDeclined(made());
}
