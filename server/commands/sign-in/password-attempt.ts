import { type ErrorCode, PortalError } from '../../errors.ts';
import { traceOf } from '../../operations/caller.ts';
import { robotAfter } from '../../session/attempts.ts';
import type { CommandContext } from '../command.ts';
import { keepPace } from '../identity/constant-time-reply.ts';
import { typedAccount } from '../identity/typed-account.ts';

type Context = Pick<CommandContext, 'caller' | 'body' | 'services'>;

/** Tells how many failures there were, up to where it matters: a locked account answers as any other. */
const countFailures = (count: number) =>
  [{ do: 'set', path: 'form.$failures', value: Math.min(count, robotAfter) }] as const;

/**
 * What decides whether the form asks for "not a robot" (document 1, section 4). Invalid submissions count in the browser
 * too, so it may show the question sooner than the server asks it.
 */
export async function robotState({ caller, body, services }: Context, username: string) {
  const failures = await services.attempts.failures(username, caller.address);
  return { $failures: Object.hasOwn(body, 'NotRobot') ? Math.max(failures, robotAfter) : failures };
}

/** False where no password may be tried now. Throws FIELDS_INVALID where "not a robot" has to be answered first. */
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

/** Records a refusal under `action`, and gives it at the pace that counts from `started`; `said` is the cloud's word. */
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
