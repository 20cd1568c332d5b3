import type { Requirement } from '../../../shared/language/types.ts';
import { describeRequirement } from '../../access/describe-requirement.ts';
import { type CompileContext, into, report } from '../names/compile-context.ts';
import { somebodyLacks } from './contradiction.ts';

type Json = Readonly<Record<string, unknown>>;

/** A mandatory field, the requirements of it and of what it stands in, and where it stands. */
type Mandatory = { readonly name: string; readonly needs: readonly Requirement[]; readonly place: CompileContext };

/** A call that sends the form, and what its callers must hold. */
type Sender = { readonly requires: readonly Requirement[]; readonly what: string };

/**
 * Reports mandatory fields of a form that some of those who may send it do not have: the cloud would refuse what they
 * send, for ever, for the want of a field that they do not see.
 */
export function checkMandatory(form: Json, place: CompileContext): void {
  const senders = sendersOf(form, place);
  if (senders.length === 0) return;
  for (const { name, needs, place: at } of mandatoryIn(...fieldsOf(form, place), [])) {
    const sender = senders.find(({ requires }) => somebodyLacks({ all: requires }, { all: needs }));
    if (needs.length === 0 || !sender) continue;
    const described = needs.map(one => describeRequirement(one, place.names.requirements.nameOf)).join('; ');
    report(
      at,
      `"${name}" is mandatory, but not everybody who may use ${sender.what} has it: it needs ${described}. If the cloud leaves what is not sent as it is, the operation says "partial".`,
    );
  }
}

/** The fields of a form, and where these stand: in it, or in the form document that it names. */
function fieldsOf(form: Json, place: CompileContext): [unknown, CompileContext] {
  if (typeof form.form !== 'string') return [form.children, into(place, 'children')];
  const source = place.formSources.get(form.form);
  return source ? [source.json.fields, { ...place, source, at: ['fields'] }] : [[], place];
}

function sendersOf({ on, form }: Json, { above, names, formSources }: CompileContext): Sender[] {
  const effects = ((on as Json | undefined)?.submit ?? []) as readonly Json[];
  return effects.flatMap(({ operation, command, requires: own }) => {
    const name = operation ?? command;
    const found =
      operation === undefined ? names.commands.get(String(command)) : names.operations.get(String(operation));
    if (!found || ('partial' in found && found.partial)) return [];
    const ofForm = formSources.get(String(form))?.json.requires;
    const requires = [...above, ofForm, own, found.requires].filter(one => one !== undefined) as Requirement[];
    return [{ requires, what: `the ${operation === undefined ? 'command' : 'operation'} "${String(name)}"` }];
  });
}

function mandatoryIn(nodes: unknown, place: CompileContext, above: readonly Requirement[]): Mandatory[] {
  if (!Array.isArray(nodes)) return [];
  return (nodes as readonly Json[]).flatMap((node, index) => {
    const here = into(place, index);
    const needs = node.requires === undefined ? above : [...above, node.requires as Requirement];
    if (node.propertyName !== undefined)
      return node.mandatory === true ? [{ name: String(node.propertyName), needs, place: here }] : [];
    return mandatoryIn(node.children, into(here, 'children'), needs);
  });
}
