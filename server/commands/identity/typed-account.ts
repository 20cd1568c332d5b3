import type { Services } from '../../operations/services.ts';
import type { AuditRecord } from '../../store/audit.ts';

/** Whom a record is about; `known` is there where that is not said. */
export type TypedAccount = {
  readonly account: string | undefined;
  readonly detail: NonNullable<AuditRecord['detail']>;
};

/**
 * Gives the account for an audit record from a typed username, only if the cloud knows such an account: any other text
 * may be a password in the wrong field (OWASP Logging Cheat Sheet, data to exclude).
 */
export async function typedAccount({ accounts }: Pick<Services, 'accounts'>, typed: string): Promise<TypedAccount> {
  const account = typed.trim();
  const isKnown = await accounts.loginFlow(account).then(
    flow => flow !== 'Unknown',
    () => false,
  );
  return isKnown ? { account, detail: {} } : { account: undefined, detail: { known: false } };
}
