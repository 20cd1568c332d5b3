import type { Database } from '../tables.ts';
import { keptDays } from '../users/deleted.ts';
import { obstacleToDeletion } from '../users/obstacle.ts';
import type { Found } from './leave.ts';
import { leavingTasks } from './tasks.ts';

/** The facts about a user that are told before they are deleted. */
const told = ['LastOfCustomer', 'SessionsEnd', 'InvitationWithdrawn', 'ServicesKept', 'MailboxKept'];

/** Tells what goes and stays if a user of a customer is deleted, for how many days they can be restored, and what stands in the way. */
export async function checkDeletion(db: Database, { leaver, caller, now }: Found) {
  const { userId } = leaver;
  const findings = await Promise.all(leavingTasks.map(task => task.find(db, leaver, now)));
  return {
    Obstacle: userId === null ? null : await obstacleToDeletion(db, caller, userId),
    Days: keptDays,
    Findings: findings.flat().filter(({ Code }) => told.includes(Code)),
  };
}
