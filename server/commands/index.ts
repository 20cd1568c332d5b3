import { accessAsk } from './access-requests/ask.ts';
import { mfaCancel, mfaConfigure, mfaRecoveryCodes, mfaReset, mfaSetUp } from './account-setting/second-factor.ts';
import { agreementSign } from './account-setting/sign-agreement.ts';
import { agreementSignAll } from './account-setting/sign-agreements.ts';
import type { Command } from './command.ts';
import { deliveredOpen, deliveredSubmit } from './delivered/delivered.ts';
import { hostedPageFinish } from './hosted-page/finish.ts';
import { apiKeyAllOperations, apiKeyRegister } from './manage-api/api-keys.ts';
import { announcementDismiss } from './notifications/announcement.ts';
import { authChangePassword, authChangePasswordByLink } from './password/change-password.ts';
import { passwordCheck } from './password/check-password.ts';
import { authResetPassword } from './password/reset-password.ts';
import { passwordUpdate } from './password/update-password.ts';
import {
  paymentsCancelMethod,
  paymentsMakeDefault,
  paymentsSaveSettings,
  paymentsSetAutoPay,
} from './payments/payment-methods.ts';
import { psaMatch } from './psa/match-companies.ts';
import { psaUpdateContracts } from './psa/update-contracts.ts';
import { releaseSpam, unsubscribe, verifyArchiveAccess } from './public/public-links.ts';
import { redirectFollow, redirectOpen } from './public/redirect.ts';
import { screenOpen } from './roles/open-screen.ts';
import { accessSave, roleSave } from './roles/save-role.ts';
import { productAdd } from './selling/add-product.ts';
import { agreementPrepare } from './selling/agreements-to-sign.ts';
import { orderBulk, orderBulkAll } from './selling/order-bulk.ts';
import { orderGate, orderPrepare } from './selling/prepare-order.ts';
import { authLeaveSignOn, authSignOnAgain, authSignOnFailure } from './sign-in/failed-sign-on.ts';
import { authJump } from './sign-in/jump.ts';
import { authLinkAccount, authOfficeSignIn } from './sign-in/link-account.ts';
import { authLogin } from './sign-in/login.ts';
import { authSignInAnew, authStaySignedIn } from './sign-in/other-organisation.ts';
import { authCancelStage, authCodesKept, authRecoveryCode, authSecondFactor } from './sign-in/second-factor.ts';
import { authSignIn } from './sign-in/sign-in.ts';
import { authPortalChoice, authSwitchUser } from './sign-in/switch-user.ts';
import { signUpAsk, signUpConfirm } from './sign-up/sign-up.ts';
import {
  siteCommunity,
  siteCommunitySignOn,
  siteHelpCentre,
  siteLiveChat,
  siteServers,
  siteStatusPage,
} from './sites/sites.ts';
import { staffAllCustomers, staffCountLimit, staffInviteEngineer, staffSaveLimit } from './staff/customer-limit.ts';

const all: readonly Command[] = [
  authLogin,
  authSignIn,
  authSecondFactor,
  authRecoveryCode,
  authCodesKept,
  authCancelStage,
  authSignOnFailure,
  authSignOnAgain,
  authLeaveSignOn,
  authResetPassword,
  authChangePassword,
  authChangePasswordByLink,
  orderBulk,
  orderBulkAll,
  staffAllCustomers,
  staffCountLimit,
  staffInviteEngineer,
  staffSaveLimit,
  apiKeyAllOperations,
  apiKeyRegister,
  orderGate,
  orderPrepare,
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
  agreementPrepare,
  agreementSignAll,
  announcementDismiss,
  deliveredOpen,
  deliveredSubmit,
  hostedPageFinish,
  mfaSetUp,
  mfaConfigure,
  mfaCancel,
  mfaReset,
  mfaRecoveryCodes,
  paymentsCancelMethod,
  paymentsMakeDefault,
  paymentsSaveSettings,
  paymentsSetAutoPay,
  productAdd,
  psaMatch,
  psaUpdateContracts,
  releaseSpam,
  unsubscribe,
  verifyArchiveAccess,
  redirectOpen,
  redirectFollow,
  siteCommunity,
  siteCommunitySignOn,
  siteHelpCentre,
  siteLiveChat,
  siteServers,
  siteStatusPage,
  signUpAsk,
  signUpConfirm,
  roleSave,
  accessAsk,
  accessSave,
  screenOpen,
];

/** Every command, by name. */
export const commands: ReadonlyMap<string, Command> = new Map(all.map(command => [command.declaration.name, command]));

/** What the layouts need to know of them. */
export const commandDeclarations = all.map(command => command.declaration);
