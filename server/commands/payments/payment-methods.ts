import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { staleAfter } from '../../operations/stale-reads.ts';
import type { Command, CommandContext } from '../command.ts';

const card = 1;
const directDebit = 0;

const changedMeanwhile = ({ caller }: CommandContext) =>
  new PortalError('RECORD_CHANGED', { effects: staleAfter(caller, 'payments.updateSettings') });

const done = ({ caller }: CommandContext, ...operations: readonly string[]) => ({
  envelope: { Succeed: true, effects: operations.flatMap(name => staleAfter(caller, name)) },
});

/**
 * Makes a stored card, or the direct debit, the single default (document 2, section 4): first the settings, and only
 * once these have changed are the other cards cancelled. `plan` names what the payer was shown: the cards that are
 * cancelled, and what is then paid automatically. Where that is something else by now, or the payer was shown nothing,
 * nothing is done.
 */
export const paymentsMakeDefault: Command = {
  declaration: {
    name: 'payments.make-default',
    parameters: ['id', 'plan'],
    requires: 'payer',
    asks: ['payments.settings', 'payments.defaultChange', 'payments.updateSettings', 'payments.cancelMethods'],
  },
  async run(context) {
    const { id, plan } = context.with;
    const [settings, change] = await Promise.all([
      ask(context, 'payments.settings'),
      ask(context, 'payments.defaultChange', { id }),
    ]);
    if (plan !== change.Plan) throw changedMeanwhile(context);
    const { autoPay, paymentTerm } = settings;
    const isCard = change.Items.some(({ Id, Kind }) => Id === id && Kind === 'Card');
    const paymentMethodType = isCard ? card : directDebit;
    const body = { autoPay, paymentTerm, paymentMethodType, defaultPaymentMethodId: id };
    await ask(context, 'payments.updateSettings', {}, { body });
    const ids = change.Items.filter(({ After }) => After === 'Cancelled').map(({ Id }) => Id);
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

/** Changes the term of invoices to come; how they are paid stays as it is. */
export const paymentsSaveSettings: Command = {
  declaration: {
    name: 'payments.save-settings',
    body: 'payment-settings',
    requires: 'payer',
    asks: ['payments.settings', 'payments.updateSettings'],
  },
  async run(context) {
    const { paymentTerm } = context.body;
    const { autoPay, paymentMethodType, defaultPaymentMethodId = null } = await ask(context, 'payments.settings');
    const body = { autoPay, paymentTerm, paymentMethodType, defaultPaymentMethodId };
    await ask(context, 'payments.updateSettings', {}, { body });
    return done(context, 'payments.updateSettings');
  },
};

/**
 * Switches automatic payment on or off. `plan` names what the payer was shown that would be taken, and when: where that
 * is something else by now, or the payer was shown nothing, it is not switched on.
 */
export const paymentsSetAutoPay: Command = {
  declaration: {
    name: 'payments.set-auto-pay',
    parameters: ['on', 'plan'],
    requires: 'payer',
    asks: ['payments.settings', 'payments.autoPayPlan', 'payments.updateSettings'],
  },
  async run(context) {
    const { on, plan } = context.with;
    const autoPay = on === true;
    if (autoPay && plan !== (await ask(context, 'payments.autoPayPlan')).Plan) throw changedMeanwhile(context);
    const { paymentTerm, paymentMethodType, defaultPaymentMethodId = null } = await ask(context, 'payments.settings');
    const body = { autoPay, paymentTerm, paymentMethodType, defaultPaymentMethodId };
    await ask(context, 'payments.updateSettings', {}, { body });
    return done(context, 'payments.updateSettings');
  },
};
