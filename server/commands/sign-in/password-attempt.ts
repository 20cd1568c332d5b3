import { type ErrorCode, PortalError } from '../../errors.ts';
import { traceOf } from '../../operations/caller.ts';
import { robotAfter } from '../../session/attempts.ts';
import type { CommandContext } from '../command.ts';
import { keepPace } from '../identity/constant-time-reply.ts';
import { typedAccount } from '../identity/typed-account.ts';

type Context = Pick<CommandContext, 'caller' | 'body' | 'services'>;

/**
 * Effects that tell the form the number of failures, up to the one that asks for "not a robot": a locked account must
 * not differ from any other.
 */
const countFailures = (count: number) =>
  [{ do: 'set', path: 'form.$failures', value: Math.min(count, robotAfter) }] as const;

/**
 * Gives the form's values that decide whether it asks for "not a robot" (document 1, section 4). The browser counts
 * invalid submissions too, so it may ask sooner than the server does.
 */
export async function robotState({ caller, body, services }: Context, username: string) {
  const failures = await services.attempts.failures(username, caller.address);
  return { $failures: Object.hasOwn(body, 'NotRobot') ? Math.max(failures, robotAfter) : failures };
}

/**
 * Counts a password attempt before it is made; false when the account or address is locked.
 * @throws {PortalError} FIELDS_INVALID when "not a robot" must be ticked first
 */
export async function admitPassword({ caller, body, services }: Context, username: string): Promise<boolean> {
  const admission = await services.attempts.admit(username, caller.address, body.NotRobot === true);
  if (admission !== 'robot') return admission === 'admitted';
  const errors = { NotRobot: [caller.access.serverText('field.notRobot')] };
  throw new PortalError('FIELDS_INVALID', { errors, effects: countFailures(robotAfter) });
}

type Refusal = {
  readonly action: string;
  readonly why: 'locked' | 'wrong';
  readonly code: ErrorCode;
  readonly said?: string | undefined;
  readonly started: number;
};

/**
 * Records a refused password in the audit under `action`, waits until the reply takes as long as any other since
 * `started`, and gives (not throws) the error to reply with. `said` is the cloud's message.
 */
export async function refusePassword(
  { caller, services }: Context,
  username: string,
  { action, why, code, said, started }: Refusal,
): Promise<PortalError> {
  const failures = await services.attempts.failures(username, caller.address);
  const { account, detail } = await typedAccount(services, username);
  await services.audit({ action, outcome: 'refused', ...traceOf(caller), account, detail: { why, ...detail } });
  await keepPace(started);
  return new PortalError(code, { said, effects: countFailures(failures) });
}
