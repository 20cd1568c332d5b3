import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import type { CallEffect, CommandEffect, Scalar, ScreenLayout } from '../../../shared/language/types.ts';
import { bind, bindAll, fillAddress, type Scope } from '../../../shared/rules/path.ts';
import { type Portal, publish, speechFor } from '../state/portal.ts';
import { refusedOutcome, sendCall } from './calls.ts';
import { withCarriedQuery } from './carried-query.ts';
import { setPlaces } from './navigation.tsx';
import type { Press, PressOutcome } from './press.ts';
import { askUser } from './question.ts';
import { toast } from './toasts.tsx';
import { mayLeave } from './unsaved-changes.ts';

const done: PressOutcome = { done: true };

/**
 * Runs effects in order; stops at the first that fails or is declined by the user. Gives the outcome of the last call.
 * Later effects read its `reply`.
 */
export async function runEffects(effects: readonly ReplyEffect[], press: Press): Promise<PressOutcome> {
  let { scope } = press;
  let last = done;
  for (const [index, effect] of effects.entries()) {
    if (effect.do === 'set' && effects[index - 1]?.do === 'set') continue;
    const outcome =
      effect.do === 'set'
        ? setValues(effects.slice(index), { ...press, scope })
        : await runEffect(effect, { ...press, scope });
    if (!outcome.done) return outcome;
    if (outcome.reply) {
      last = outcome;
      scope = { ...scope, reply: outcome.reply };
    }
  }
  return last;
}

function fullScope({ scope, form }: Press): Scope {
  return form ? { ...scope, form: form.readAll() } : scope;
}

async function runEffect(effect: ReplyEffect, press: Press): Promise<PressOutcome> {
  const { portal, document, form } = press;
  const { host } = portal;
  const scope = fullScope(press);
  switch (effect.do) {
    case 'call':
    case 'command':
      return runCall(effect, { ...press, scope });
    case 'navigate': {
      const to = fillAddress(effect.to, scope);
      if (to !== undefined)
        await host.navigate(withCarriedQuery(to, effect.keep, scope), { replace: effect.replace ?? false });
      return done;
    }
    case 'back':
      await host.back(fillAddress(effect.to, scope) ?? '/');
      return done;
    case 'leave':
      host.leave(effect.to);
      return done;
    case 'open-popup':
      await host.openPopup(effect.popup, bindAll(effect.with, scope));
      return done;
    case 'close-popup':
      host.closePopup();
      return done;
    case 'refresh-operations':
      host.refreshOperations(effect.operations);
      return done;
    case 'set':
      return setValues([effect], press);
    case 'toast':
      sayToast(effect, { ...press, scope });
      return done;
    case 'confirm':
      return { done: await confirmed(effect, portal, scope) };
    case 'download': {
      const outcome = await host.download(document, effect, bindAll(effect.with, scope));
      return 'failure' in outcome ? { done: false, ...outcome } : runEffects(outcome.effects, press);
    }
    case 'copy': {
      const text = String(bind(effect.value, scope) ?? '');
      await navigator.clipboard.writeText(text);
      (await import('./copied.ts')).showCopied(text);
      return done;
    }
    case 'save':
      (await import('../data/files.ts')).saveText(effect, scope, speechFor(portal));
      return done;
    case 'publish':
      publish(portal, effect.event);
      return done;
    case 'sign-out': {
      form?.settle();
      const layout = portal.screen.get()?.document.layout.get().layout as ScreenLayout | undefined;
      if (!(await mayLeave(portal, undefined, layout?.signOutQuestion))) return { done: false };
      await host.signOut();
      return done;
    }
    default:
      return done;
  }
}

/** Sends a call, then runs the effects of its reply. */
async function runCall(effect: CallEffect | CommandEffect, press: Press): Promise<PressOutcome> {
  const answer = await sendCall(effect, press);
  const { envelope } = answer;
  const outcome = await runEffects(envelope.effects ?? [], { ...press, scope: { ...press.scope, reply: envelope } });
  if (envelope.Waits) return { done: false, reply: envelope };
  if (!envelope.Succeed) return refusedOutcome(effect, answer, press);
  return outcome.done ? { done: true, reply: envelope } : outcome;
}

/**
 * Runs the `set` effects that a list begins with, as one step of the browser's history. A document sets places; the
 * server may set fields of the form that was sent, `form.$failures` among them.
 */
function setValues(effects: readonly ReplyEffect[], press: Press): PressOutcome {
  const { portal, document, form } = press;
  const scope = fullScope(press);
  const places: Record<string, Scalar> = {};
  for (const effect of effects) {
    if (effect.do !== 'set') break;
    const value = bind(effect.value, scope);
    const name = effect.path.startsWith('form.') ? effect.path.slice('form.'.length) : undefined;
    if (name === undefined) places[effect.path] = value as Scalar;
    else if (name === '$failures') form?.setFailures(Number(value) || 0);
    else form?.set(name, value);
  }
  setPlaces(portal, document, places);
  return done;
}

type EffectOf<Name extends ReplyEffect['do']> = Extract<ReplyEffect, { do: Name }>;

function sayToast(effect: EffectOf<'toast'>, press: Press): void {
  const { portal, scope } = press;
  const speech = speechFor(portal);
  const { undo } = effect;
  // The way back sends nothing of the form that was sent.
  const { body: _, ...back } = press;
  toast(portal, {
    text: speech.text(effect.text, effect.values, scope),
    kind: effect.kind ?? 'ok',
    ...(undo && {
      action: {
        text: speech.word('toast.undo'),
        run: async () => {
          const { failure, unknown } = await runEffects(undo, back);
          if (failure) toast(portal, { text: unknown ?? failure, kind: 'bad' });
        },
      },
    }),
  });
}

function confirmed(effect: EffectOf<'confirm'>, portal: Portal, scope: Scope): Promise<boolean> {
  const speech = speechFor(portal);
  const write = (text: typeof effect.text) => speech.text(text, effect.values, scope);
  return askUser(portal, {
    title: write(effect.title),
    text: write(effect.text),
    primary: write(effect.primary),
    secondary: effect.secondary === undefined ? speech.word('confirm.cancel') : write(effect.secondary),
    danger: effect.danger ?? false,
  });
}
