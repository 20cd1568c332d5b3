import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { staleAfter } from '../../operations/stale-reads.ts';
import type { Command, CommandContext } from '../command.ts';

const card = 1;
const directDebit = 0;

const done = ({ caller }: CommandContext, ...operations: readonly string[]) => ({
  envelope: { Succeed: true, effects: operations.flatMap(name => staleAfter(caller, name)) },
});

/**
 * Makes a stored card, or the direct debit, the single default (document 2, section 4): first the settings, and only
 * once these have changed are the other cards cancelled. `plan` names the cards that the payer was shown as cancelled
 * ("cancel 3 8"): where there are others by now, or the payer was shown nothing, nothing is done.
 */
export const paymentsMakeDefault: Command = {
  declaration: {
    name: 'payments.make-default',
    parameters: ['id', 'plan'],
    requires: 'payer',
    asks: [
      'payments.settings',
      'payments.cards',
      'payments.directDebit',
      'payments.updateSettings',
      'payments.cancelMethods',
    ],
  },
  async run(context) {
    const { id, plan } = context.with;
    const [settings, cards, debit] = await Promise.all([
      ask(context, 'payments.settings'),
      ask(context, 'payments.cards', { status: 'Active' }),
      ask(context, 'payments.directDebit'),
    ]);
    const isCard = cards.Items.some(({ Id }) => Id === id);
    if (!isCard && debit.Id !== id) throw new PortalError('NOT_FOUND', { detail: 'payment method' });
    const ids = cards.Items.map(({ Id }) => Id).filter(other => other !== id);
    if (plan !== ['cancel', ...ids.toSorted()].join(' '))
      throw new PortalError('RECORD_CHANGED', { effects: staleAfter(context.caller, 'payments.updateSettings') });
    const { autoPay, paymentTerm } = settings;
    const paymentMethodType = isCard ? card : directDebit;
    const body = { autoPay, paymentTerm, paymentMethodType, defaultPaymentMethodId: id };
    await ask(context, 'payments.updateSettings', {}, { body });
    if (ids.length > 0) await ask(context, 'payments.cancelMethods', {}, { body: { ids } });
    return done(context, 'payments.updateSettings', 'payments.cancelMethods');
  },
};

/** Cancels one stored card, or the direct debit. */
export const paymentsCancelMethod: Command = {
  declaration: {
    name: 'payments.cancel-method',
    parameters: ['id'],
    requires: 'payer',
    asks: ['payments.cancelMethods'],
  },
  async run(context) {
    await ask(context, 'payments.cancelMethods', {}, { body: { ids: [String(context.with.id)] } });
    return done(context, 'payments.cancelMethods');
  },
};

/** Changes when invoices are paid; the default method stays as it is. */
export const paymentsSaveSettings: Command = {
  declaration: {
    name: 'payments.save-settings',
    body: 'payment-settings',
    requires: 'payer',
    asks: ['payments.settings', 'payments.updateSettings'],
  },
  async run(context) {
    const { autoPay, paymentTerm } = context.body;
    const { paymentMethodType, defaultPaymentMethodId = null } = await ask(context, 'payments.settings');
    const body = { autoPay: autoPay === true, paymentTerm, paymentMethodType, defaultPaymentMethodId };
    await ask(context, 'payments.updateSettings', {}, { body });
    return done(context, 'payments.updateSettings');
  },
};
