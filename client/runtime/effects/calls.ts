import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { CallEffect, CommandEffect, Layout } from '../../../shared/language/types.ts';
import { bindAll } from '../../../shared/rules/path.ts';
import { replaceLayout } from '../state/document.ts';
import { faultReference } from '../state/failure.ts';
import { isNewer } from '../state/newer-layout.ts';
import { type Portal, speechFor } from '../state/portal.ts';
import type { Answer, SendWith } from '../state/post-call.ts';
import type { Press, PressOutcome } from './press.ts';

/** The page is on its way out: what was pressed stays busy. */
const leaving = new Promise<never>(() => {});

/** Sends a call or command with its bound parameters and body, and tells its form. Never ends where the page leaves. */
export async function sendCall(effect: CallEffect | CommandEffect, press: Press): Promise<Answer> {
  const { portal, document, form, scope } = press;
  const send: SendWith = (values, post) => {
    const given = values ? { ...scope, form: { ...(scope.form as object), ...values } } : scope;
    const body = effect.body ? bindAll(effect.body, given) : press.body && { ...press.body, ...values };
    return portal.host.send({
      kind: effect.do,
      name: effect.do === 'call' ? effect.operation : effect.command,
      node: press.node,
      layout: document.layout.get().hash,
      with: bindAll(effect.with, given),
      ...(body && { body }),
      isSecret: form?.hasSecrets() ?? false,
      post,
    });
  };
  const answer = await (form?.sendFiles ?? (just => just()))(send);
  const { envelope, status } = answer;
  if (envelope.Resources?.code === 'SESSION_CHANGED') {
    const to = envelope.effects?.find(found => found.do === 'navigate');
    portal.host.sessionChanged(to?.to ?? '/');
    return leaving;
  }
  if (!envelope.Succeed && status === 401 && portal.boot.get().principal.type !== 'public') {
    portal.host.sessionEnded();
    return leaving;
  }
  if (press.body && (envelope.Succeed || envelope.Waits)) form?.settle(envelope);
  else if (press.body) form?.setFailures();
  return answer;
}

/** How a refused call ended. Its effects have run: they may bring the field that the refusal is about. */
export function refusedOutcome(effect: CallEffect | CommandEffect, answer: Answer, press: Press): PressOutcome {
  const { portal, scope } = press;
  const title = effect.errorTitle && speechFor(portal).text(effect.errorTitle, undefined, scope);
  const failure = refuse(answer, press, title);
  const unknown = doubtOf(answer, portal);
  return {
    done: false,
    reply: answer.envelope,
    ...(failure !== undefined && { failure }),
    ...(unknown && { unknown }),
    reference: faultReference(answer.status, answer.envelope),
  };
}

/** Puts a refusal where it belongs: to its fields, to a newer layout, and the rest in words, after `title`. */
function refuse({ status, envelope }: Answer, press: Press, title: string | undefined): string | undefined {
  const { portal, document, form, body } = press;
  const { Errors, Resources } = envelope;
  const others = body && form ? form.refuse(Errors ?? {}) : Object.values(Errors ?? {}).flat();
  if (status === 403) void portal.host.readBoot();
  if (status === 409 && Resources?.layout && Resources.hash) {
    const layout = Resources.layout as Layout;
    if (isNewer(layout)) portal.outdated.set('needed');
    else replaceLayout(document, Resources.hash, layout);
  }
  const general = envelope.Messages?.[0] || envelope.Error;
  // The general sentence about wrong fields points at fields: of what no field shows it says nothing. What stands at a
  // field is not said again.
  const isLeftOut = others[0]
    ? Resources?.code === 'FIELDS_INVALID'
    : Object.values(Errors ?? {}).some(messages => messages.includes(general as string));
  const said = (!isLeftOut && general) || others.join(' ');
  if (said) {
    const failure = title ? `${title}: ${said}` : said;
    return status >= 500 ? withReference(portal, failure, envelope) : failure;
  }
  if (Errors && Object.keys(Errors).length > 0) return undefined;
  const otherwise = title || speechFor(portal).word(status === 409 ? 'error.changed' : 'error.unexpected');
  return withReference(portal, otherwise, envelope);
}

/**
 * What to say where nobody knows whether the press was done: no answer came, or none of the portal's. Signing in leaves
 * nothing behind that one would have to look for.
 */
function doubtOf({ status, envelope }: Answer, portal: Portal): string | undefined {
  const { code = '' } = envelope.Resources ?? {};
  const isUnknown = status === 0 || (status >= 500 && ['', 'OUTCOME_UNKNOWN', 'INTERNAL'].includes(code));
  if (!isUnknown || portal.boot.get().principal.type === 'public') return undefined;
  const isSaid = code === 'OUTCOME_UNKNOWN' && envelope.Error;
  return withReference(portal, isSaid || speechFor(portal).word('unknown.text'), envelope);
}

/** Adds the reference number of a failure, where there is one. */
export function withReference(portal: Portal, text: string, { Resources }: Envelope): string {
  return Resources?.reference
    ? `${text} ${speechFor(portal).word('error.reference', { reference: Resources.reference })}`
    : text;
}
