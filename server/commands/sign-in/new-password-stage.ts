import type { Owner } from '../../cloud/passwords.ts';
import type { Services } from '../../operations/services.ts';
import type { CommandReply } from '../command.ts';

/** Opens the sign-in stage in which the user must choose a new password, and gives the reply that leads there. */
export async function openNewPasswordStage(services: Services, owner: Owner, returnTo: string): Promise<CommandReply> {
  const stage = await services.signInStages.open('new-password', { owner, returnTo });
  const to = `/change-password?${new URLSearchParams({ username: owner.name })}`;
  return { stage, envelope: { Succeed: true, effects: [{ do: 'navigate', to }] } };
}
