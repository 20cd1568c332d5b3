import type { Operation, Requirement } from '../../../shared/language/types.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { type CompileContext, into, report } from '../names/compile-context.ts';
import { listOf, suggest } from '../names/problem.ts';
import { checkBinding } from './constants.ts';
import { somebodyLacks } from './contradiction.ts';
import { ofField, ofParameter } from './declared-values.ts';

const keysOf = (value: unknown): string[] => Object.keys((value ?? {}) as object);

/** Checks a `call` effect of a document: not a GET, its parameters and its body as the operation declares them. */
export function checkCall(value: Record<string, unknown>, place: CompileContext): void {
  const name = String(value.operation);
  const operation = place.names.operations.get(name);
  if (!operation) return;
  if (operation.method === 'GET') report(place, `"${name}" is a GET; read it through a data source.`);
  checkParameters(value, operation, place);
  checkBody(value, operation.body, place, `operation "${name}"`);
  if (operation.upload) checkFile(value, operation, place);
}

/** The body of an upload is its file, so that what else its form asks for reaches the operation by parameters alone. */
function checkFile(value: Record<string, unknown>, { body }: Operation, place: CompileContext): void {
  if (value.body !== undefined)
    report(into(place, 'body'), 'The file is chosen in the form of the call, and comes from nowhere else.');
  const form = place.names.forms.get(body ?? '');
  const passed = Object.values((value.with ?? {}) as object);
  for (const name of form?.names ?? [])
    if (!form?.uploads.includes(name) && !passed.includes(`form.${name}`))
      report(place, `The field "${name}" of the form "${body}" would be lost: pass "form.${name}" in "with".`);
}

/**
 * Checks the parameters that a call or data source passes: the operation must declare them, and those of its path must
 * be there.
 */
export function checkParameters(value: Record<string, unknown>, operation: Operation, place: CompileContext): void {
  const known = keysOf(operation.with);
  for (const name of keysOf(value.with)) {
    const rule = operation.with?.[name];
    if (rule)
      checkBinding(
        (value.with as Record<string, unknown>)[name],
        ofParameter(name, rule, String(value.operation), place.names),
        into(place, 'with', name),
      );
    else
      report(
        into(place, 'with', name),
        `"${String(value.operation)}" has no parameter "${name}".${suggest(name, known)}`,
      );
  }
  for (const name of neededParameters(operation)) {
    const own = operation.own?.[name];
    if (keysOf(value.with).includes(name)) continue;
    if (!own) report(place, `"${String(value.operation)}" needs the parameter "${name}".`);
    else if (somebodyLacks(callersOf(operation, place), ofTypes(own.userTypes)))
      report(
        place,
        `"${String(value.operation)}" needs the parameter "${name}": it is known of ${listOf(own.userTypes)} alone, and others may call it here.`,
      );
  }
}

const ofTypes = (userTypes: readonly string[]): Requirement => ({ userTypes }) as Requirement;

/** Gives the rights that everybody holds who may call an operation at a place. */
const callersOf = ({ requires }: Operation, { above }: CompileContext): Requirement => ({
  all: [...above, ...(requires ? [requires as Requirement] : [])],
});

/**
 * Lists the parameters without which an operation cannot be called: those in its path and required ones, except any
 * that has a default.
 */
export function neededParameters(operation: Operation): string[] {
  const inPath = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string);
  return Object.entries(operation.with ?? {})
    .filter(([name, rule]) => rule.default === undefined && (rule.required || inPath.includes(name)))
    .map(([name]) => name);
}

function checkBody(
  value: Record<string, unknown>,
  body: string | undefined,
  place: CompileContext,
  what: string,
): void {
  const given = value.body === undefined ? undefined : keysOf(value.body);
  if (body === undefined) {
    // None of it is how a form says that what was typed is not sent along.
    if (given && given.length > 0) report(place, `The ${what} takes no body.`);
    return;
  }
  const { names: fields = [], needed = [], file } = place.names.forms.get(body) ?? {};
  for (const field of fieldsIn(place.formSources.get(body)?.json.fields)) {
    const { propertyName: name } = field;
    checkBinding(
      (value.body as Record<string, unknown> | undefined)?.[name],
      ofField(field, place.names),
      into(place, 'body', name),
    );
  }
  if (given) {
    for (const name of given)
      if (!fields.includes(name))
        report(
          { ...place, at: [...place.at, 'body', name] },
          `The form "${body}" of this ${what} has no field "${name}".${suggest(name, fields)}`,
        );
    const missing = needed.filter(name => !given.includes(name));
    const are = missing.length > 1 ? 'fields' : 'a field';
    if (missing.length > 0)
      report(
        { ...place, at: [...place.at, 'body'] },
        `The ${what} needs ${listOf(missing)}: ${are} of its form "${body}", in ${file}, that must have a value.`,
      );
  } else if (place.scope.form?.document !== body) {
    report(
      place,
      `The ${what} takes the form "${body}": call it from a form node with "form": "${body}", or give it a "body".`,
    );
  }
}

/** Checks a `command` effect of a document: its parameters and its body as the command declares them. */
export function checkCommand(value: Record<string, unknown>, place: CompileContext): void {
  const command = place.names.commands.get(String(value.command));
  if (!command) return;
  for (const name of keysOf(value.with)) {
    const values = command.values?.[name];
    const binding = (value.with as Record<string, unknown>)[name];
    if (values)
      checkBinding(
        binding,
        { of: `The parameter "${name}" of the command "${command.name}"`, values },
        into(place, 'with', name),
      );
    if (!command.parameters?.includes(name))
      report(
        into(place, 'with', name),
        `The command "${command.name}" has no parameter "${name}".${suggest(name, command.parameters ?? [])}`,
      );
  }
  for (const name of command.asks ?? []) {
    place.mentions.operation.add(name);
    if (!place.names.operations.has(name))
      report(place, `The command "${command.name}" asks the operation "${name}", which is not found.`);
  }
  checkBody(value, command.body, place, `command "${command.name}"`);
  if ((place.names.forms.get(command.body ?? '')?.uploads.length ?? 0) > 0)
    report(into(place, 'command'), `The form of the command "${command.name}" has a file, which no command takes.`);
}

/** Checks an `open-popup` effect of a document: it passes exactly the parameters that the popup declares. */
export function checkPopup(value: Record<string, unknown>, place: CompileContext): void {
  const parameters = place.names.popups.get(String(value.popup));
  if (!parameters) return;
  for (const name of keysOf(value.with)) {
    if (!parameters.includes(name))
      report(
        { ...place, at: [...place.at, 'with', name] },
        `The popup "${String(value.popup)}" has no parameter "${name}".${suggest(name, parameters)}`,
      );
  }
  for (const name of parameters)
    if (!keysOf(value.with).includes(name))
      report(place, `The popup "${String(value.popup)}" needs the parameter "${name}".`);
}
