import { readLines } from '../../../shared/rules/read-lines.ts';
import { ask } from '../../operations/ask.ts';
import { staleAfter } from '../../operations/stale-reads.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command, CommandContext } from '../command.ts';

/** The customers that an engineer is to see, from the fields of the form. */
const limitIn = ({ body: { Sees, Word, Customers } }: CommandContext) => ({
  Sees: textOf(Sees),
  Word: textOf(Word),
  Customers: readLines(Customers),
});

/** Names all customers that a search finds, for the list of those that an engineer is to see. */
export const staffAllCustomers: Command = {
  declaration: {
    name: 'staff.all-customers',
    parameters: ['search'],
    reply: { keys: ['id'] },
    requires: 'engineer-manager',
    asks: ['staff.customerIds'],
  },
  async run(context) {
    const keys = await ask(context, 'staff.customerIds', { search: textOf(context.with.search) });
    return { envelope: { Succeed: true, Result: { keys } } };
  },
};

/** Counts the customers that an engineer would see with what the form says. */
export const staffCountLimit: Command = {
  declaration: {
    name: 'staff.count-limit',
    parameters: [],
    ownBody: true,
    requires: 'engineer-manager',
    asks: ['staff.countLimit'],
    reply: { Seen: 'count', Of: 'count' },
  },
  async run(context) {
    const Result = await ask(context, 'staff.countLimit', {}, { body: limitIn(context) });
    return { envelope: { Succeed: true, Result } };
  },
};

/** Adds an engineer without a password, who sees what the form says, and mails an invitation to choose one. */
export const staffInviteEngineer: Command = {
  declaration: {
    name: 'staff.invite-engineer',
    parameters: ['roleId'],
    ownBody: true,
    requires: 'engineer-manager',
    asks: ['staff.inviteEngineer'],
    reply: { UserName: 'text' },
  },
  async run(context) {
    const roleId = textOf(context.with.roleId);
    const body = { Name: textOf(context.body.Name), Email: textOf(context.body.Email), ...limitIn(context) };
    const { UserName } = await ask(context, 'staff.inviteEngineer', roleId === '' ? {} : { roleId }, { body });
    const effects = staleAfter(context.caller, 'staff.inviteEngineer');
    return { envelope: { Succeed: true, Result: { UserName }, effects } };
  },
};

/** Saves which customers an engineer sees. */
export const staffSaveLimit: Command = {
  declaration: {
    name: 'staff.save-limit',
    parameters: ['userName'],
    ownBody: true,
    requires: 'engineer-manager',
    asks: ['staff.setCustomerLimit'],
  },
  async run(context) {
    await ask(context, 'staff.setCustomerLimit', { userName: context.with.userName }, { body: limitIn(context) });
    return { envelope: { Succeed: true, effects: staleAfter(context.caller, 'staff.setCustomerLimit') } };
  },
};
