import { agreementSign } from './agreement-sign.ts';
import { agreementSignService } from './agreement-sign-service.ts';
import { authChangePassword, authChangePasswordByLink } from './auth-change-password.ts';
import { authJump } from './auth-jump.ts';
import { authLinkAccount, authOfficeSignIn } from './auth-link-account.ts';
import { authLogin } from './auth-login.ts';
import { authSignInAnew, authStaySignedIn } from './auth-other-organisation.ts';
import { authResetPassword } from './auth-reset-password.ts';
import { authCancelStep, authCodesKept, authRecoveryCode, authSecondFactor } from './auth-second-factor.ts';
import { authSignIn } from './auth-sign-in.ts';
import { authLeaveSignOn, authSignOnAgain, authSignOnFailure } from './auth-sign-on.ts';
import { authPortalChoice, authSwitchUser } from './auth-switch-user.ts';
import type { Command } from './context.ts';
import { deliveredOpen, deliveredSubmit } from './delivered.ts';
import { mfaCancel, mfaConfigure, mfaRecoveryCodes, mfaReset, mfaSetUp } from './mfa.ts';
import { orderBulk, orderBulkAll } from './order-bulk.ts';
import { orderStep } from './order-step.ts';
import { passwordCheck } from './password-check.ts';
import { passwordUpdate } from './password-update.ts';
import { productAdd } from './product-add.ts';
import { psaMatch } from './psa-match.ts';
import { releaseSpam, verifyArchiveAccess } from './public-links.ts';
import { recoveryStep } from './recovery-step.ts';
import { redirectFollow, redirectOpen } from './redirect.ts';
import { voiceKeep, voiceStep } from './voice-order.ts';

const all: readonly Command[] = [
  authLogin,
  authSignIn,
  authSecondFactor,
  authRecoveryCode,
  authCodesKept,
  authCancelStep,
  authSignOnFailure,
  authSignOnAgain,
  authLeaveSignOn,
  authResetPassword,
  authChangePassword,
  authChangePasswordByLink,
  orderBulk,
  orderBulkAll,
  orderStep,
  passwordCheck,
  passwordUpdate,
  authOfficeSignIn,
  authLinkAccount,
  authSignInAnew,
  authStaySignedIn,
  authSwitchUser,
  authPortalChoice,
  authJump,
  agreementSign,
  agreementSignService,
  deliveredOpen,
  deliveredSubmit,
  mfaSetUp,
  mfaConfigure,
  mfaCancel,
  mfaReset,
  mfaRecoveryCodes,
  productAdd,
  psaMatch,
  releaseSpam,
  verifyArchiveAccess,
  redirectOpen,
  redirectFollow,
  recoveryStep,
  voiceKeep,
  voiceStep,
];

/** Every command, by name. */
export const commands: ReadonlyMap<string, Command> = new Map(all.map(command => [command.declaration.name, command]));

/** What the layouts need to know of them. */
export const commandDeclarations = all.map(command => command.declaration);
