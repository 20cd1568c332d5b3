import type { Area } from '../area.ts';
import { emailSecurity } from './migrations/250-email-security.ts';
import { ruleFiles } from './migrations/251-rule-files.ts';
import { securityDomains, securityLists } from './resource.ts';
import { addEmailSecurityRoutes } from './routes.ts';
import { addRuleFileRoutes } from './rule-file-routes.ts';
import { ruleFilesOfDomain } from './rule-files.ts';
import { insertSecurityDomains } from './seed.ts';
import './tables.ts';

/** Email security: domains whose mail is filtered, and their lists of senders. */
export const emailSecurityArea: Area = {
  name: 'email-security',
  migrations: { '250-email-security': emailSecurity, '251-rule-files': ruleFiles },
  seed: [{ name: 'email security', insert: (trx, { now }) => insertSecurityDomains(trx, now) }],
  routes: [addEmailSecurityRoutes, addRuleFileRoutes],
  resources: [securityDomains, securityLists.White, securityLists.Black, securityLists.Archive, ruleFilesOfDomain],
};
