import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import type { Caller } from '../../operations/caller.ts';
import { unknownDevice } from '../../session/device.ts';
import type { SecurityLogPart } from '../../store/security-log.ts';
import type { PortalRequest } from '../portal-answer.ts';

/** In the words of the texts, which may have changed since it was kept. */
const nameDevice = ({ access }: Caller, device: string | null): string | null =>
  device === unknownDevice ? access.serverText('device.unknown') : device;

async function listSessions({ caller, services }: PortalRequest, account: string, key?: string) {
  const all = await services.accountSessions.list(account, key);
  return all.map(({ handle, device, address, way, openedAt, seenAt, isThis }) => ({
    Handle: handle,
    Device: nameDevice(caller, device ?? unknownDevice),
    Address: address,
    Way: way,
    SignedIn: openedAt.toISOString(),
    LastUse: seenAt.toISOString(),
    IsThis: isThis,
  }));
}

async function readLog({ caller, parameters, services }: PortalRequest, account: string) {
  const { page, pageSize, show } = parameters;
  const wanted = { part: String(show) as SecurityLogPart, page: Number(page), size: Number(pageSize) };
  const { events, total } = await services.securityLog(account, wanted);
  const Items = events.map(({ id, at, event, outcome, way, device, address, by }) => ({
    Id: id,
    At: at.toISOString(),
    Event: event,
    Outcome: outcome,
    Way: way,
    Device: nameDevice(caller, device),
    Address: address,
    By: by,
  }));
  return { Items, Total: total };
}

export async function listOwnSessions(asked: PortalRequest) {
  const Items = await listSessions(asked, asked.session.account, asked.session.key);
  return { Items, Others: Items.filter(({ IsThis }) => !IsThis).length };
}

export async function endOwnSession({ session, parameters, services }: PortalRequest): Promise<void> {
  const isEnded = await services.accountSessions.end(session.account, String(parameters.session), 'ended by its user');
  if (!isEnded) throw new PortalError('NOT_FOUND');
}

export const endOtherSessions = ({ session, services }: PortalRequest): Promise<void> =>
  services.sessions.endAll(session.account, 'ended by its user', session.key);

export const readOwnLog = (asked: PortalRequest) => readLog(asked, asked.session.account);

/** Finds the name that a person signs in with, whom the cloud lets the caller act upon; undefined for one without account. */
type FindAccount = (asked: PortalRequest) => Promise<string | null | undefined>;

/** One of the reseller's own people, or an administrator of a customer. */
export const staffAccount: FindAccount = async asked =>
  (await ask(asked, 'staff.leaving', { userName: asked.parameters.userName })).UserName;

/** A user of a customer. */
export const userAccount: FindAccount = async asked => {
  const { customerId, userId } = asked.parameters;
  return (await ask(asked, 'users.leaving', { customerId, userId })).UserName;
};

/** Lists the open sessions of another person. */
export async function listSessionsOf(asked: PortalRequest, find: FindAccount) {
  const account = await find(asked);
  return { Items: account ? await listSessions(asked, account, asked.session.key) : [] };
}

/** Ends one session of another person, on every process, and tells them in their log who did it. */
export async function endSessionOf(asked: PortalRequest, find: FindAccount): Promise<void> {
  const { session, parameters, services } = asked;
  const account = await find(asked);
  const reason = 'ended by who manages them';
  const isEnded = account && (await services.accountSessions.end(account, String(parameters.session), reason));
  if (!isEnded) throw new PortalError('NOT_FOUND');
  // Not from where: that is no matter of theirs.
  await services.audit({ action: 'session.ended-by-other', outcome: 'done', account, actor: session.account });
}

/** Reads the security log of another person: how they signed in, from where, and what was refused. */
export async function readLogOf(asked: PortalRequest, find: FindAccount) {
  const account = await find(asked);
  return account ? await readLog(asked, account) : { Items: [], Total: 0 };
}
