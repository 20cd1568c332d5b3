import { publicPrincipal } from '../../access/principal.ts';
import { landingOf } from '../../operations/landing.ts';
import { readReturn } from '../../operations/return-address.ts';
import type { Command, CommandContext } from '../command.ts';
import { endSession } from '../identity/end-session.ts';

/** Where the user was going; undefined where that is no screen of theirs. */
function wantedOf({ caller: { version, access }, with: given }: CommandContext): string | undefined {
  return readReturn(given.return, version, access, version.access(publicPrincipal));
}

/** Signs out here, and leads to the sign-in and back to where the user was going (document 1, section 4). */
export const authSignInAnew: Command = {
  declaration: { name: 'auth.sign-in-anew', parameters: ['return'] },
  async run(context) {
    const wanted = wantedOf(context);
    const { envelope, ...kept } = await endSession(context, 'another organisation');
    const to = wanted === undefined ? '/login' : `/login?${new URLSearchParams({ return: wanted })}`;
    // The cookie of the organisation is the other portal's.
    return {
      ...{ ...kept, organisation: undefined },
      envelope: { ...envelope, effects: [{ do: 'navigate', to, replace: true }] },
    };
  },
};

/** Goes on with the session as it is: from here on the browser says again which organisation it is for. */
export const authStaySignedIn: Command = {
  declaration: { name: 'auth.stay-signed-in', parameters: ['return'] },
  async run(context) {
    const { access, principal } = context.caller;
    const to = wantedOf(context) ?? landingOf(access, principal);
    return {
      organisation: principal.facts.organisationId,
      envelope: { Succeed: true, effects: [{ do: 'navigate', to, replace: true }] },
    };
  },
};
