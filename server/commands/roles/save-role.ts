import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { staleAfter } from '../../operations/stale-reads.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command, CommandContext } from '../command.ts';
import { afterTicks, type CloudRights, heldBy, ownAfter, within } from './role-rights.ts';
import { linesOf, runRoleTest, testsOf } from './role-tests.ts';
import { tryOut } from './try-out.ts';

const nothing: CloudRights = { Views: [], Permissions: [], Prices: false };

/** Refuses a role of which a test fails, at the field of the test. */
async function runTests(context: CommandContext, userType: string, rights: CloudRights): Promise<void> {
  const { body, caller } = context;
  const { seen, hidden } = within(rights, heldBy(caller.principal));
  const outline = await tryOut(context, userType, seen);
  const failing = (may: boolean, text: unknown) =>
    testsOf(may ? linesOf(text) : [], may ? [] : linesOf(text))
      .filter(test => runRoleTest(test, outline, hidden === 0) === 'Fails')
      .map(({ what }) => what)
      .join(', ');
  const closed = failing(true, body.MayOpen);
  const open = failing(false, body.MayNotOpen);
  if (closed === '' && open === '') return;
  throw new PortalError('FIELDS_INVALID', {
    errors: {
      ...(closed !== '' && { MayOpen: [caller.access.serverText('role.mayFails', { tests: closed })] }),
      ...(open !== '' && { MayNotOpen: [caller.access.serverText('role.mayNotFails', { tests: open })] }),
    },
  });
}

/** Makes or changes a role, once its tests have passed: with the boxes that were ticked, over the version that was read. */
export const roleSave: Command = {
  declaration: {
    name: 'role.save',
    parameters: ['roleId'],
    ownBody: true,
    requires: 'people-manager',
    asks: ['roles.get', 'roles.create', 'roles.change'],
    reply: { RoleId: 'id' },
  },
  async run(context) {
    const { body, caller } = context;
    const { roleId } = context.with;
    const held = heldBy(caller.principal);
    const known = roleId === undefined ? undefined : await ask(context, 'roles.get', { roleId });
    const userType = String(known?.UserType ?? body.UserType);
    const rights = afterTicks(known ?? nothing, body, held);
    await runTests(context, userType, rights);
    const role = {
      ...{ Name: textOf(body.Name), Description: textOf(body.Description), ...rights },
      ...{ May: linesOf(body.MayOpen), MayNot: linesOf(body.MayNotOpen) },
    };
    if (known === undefined) {
      const Result = await ask(context, 'roles.create', {}, { body: { ...role, UserType: userType } });
      return { envelope: { Succeed: true, Result, effects: staleAfter(caller, 'roles.create') } };
    }
    const changed = { ...role, Version: body.Version, Confirmed: body.Confirmed === true };
    await ask(context, 'roles.change', { roleId }, { body: changed });
    const effects = staleAfter(caller, 'roles.change');
    return { envelope: { Succeed: true, Result: { RoleId: textOf(roleId) }, effects } };
  },
};

/** Saves what a person holds besides roles, over the version that was read. */
export const accessSave: Command = {
  declaration: {
    name: 'access.save',
    parameters: ['user'],
    ownBody: true,
    requires: 'people-manager',
    asks: ['roles.access', 'roles.setAccess'],
  },
  async run(context) {
    const { body, caller } = context;
    const { user } = context.with;
    const { Roles, Views, Permissions, Prices, Ends } = await ask(context, 'roles.access', { user });
    const { rights, ends } = ownAfter({ Views, Permissions, Prices, Ends }, body, heldBy(caller.principal));
    const roles = Roles.map(({ RoleId, Until }) => ({ RoleId, Until }));
    const wanted = { Roles: roles, ...rights, Ends: ends, Version: body.Version, Confirmed: body.Confirmed === true };
    await ask(context, 'roles.setAccess', { user }, { body: wanted });
    return { envelope: { Succeed: true, effects: staleAfter(caller, 'roles.setAccess') } };
  },
};
