import type { Operation, Requirement } from '../../shared/language/types.ts';
import { describeRequirement } from '../access/describe-requirement.ts';
import { neededParameters } from '../layouts/check/call.ts';
import { fieldOf, followNames } from '../layouts/names/contract.ts';
import { placeOfTexts } from '../layouts/names/texts.ts';
import { declarationsOf, type Named } from './declarations.ts';
import type { EditedFolder } from './folder.ts';
import type { NamedFolder } from './name-lists.ts';
import { valueAt } from './written-place.ts';

const words = (requires: unknown, { names }: NamedFolder): string =>
  requires === undefined ? 'everybody' : describeRequirement(requires as Requirement, names.requirements.nameOf);

/** Describes an operation, a line each: how it is asked for, what it takes and who may call it. */
export function describeOperation(name: string, operation: Operation, folder: NamedFolder): readonly string[] {
  const { method, path, body, file, requires, own = {}, description } = operation;
  const needed = neededParameters(operation);
  const parameters = Object.keys(operation.with ?? {}).map(parameter => {
    const by = own[parameter]?.userTypes.join(', ');
    return `${parameter}${needed.includes(parameter) ? '' : '?'}${by === undefined ? '' : ` (the caller's own for ${by})`}`;
  });
  const form = body === undefined ? undefined : folder.names.forms.get(body);
  return [
    `${name}  ${method} ${path}`,
    ...(description === undefined ? [] : [description]),
    ...(parameters.length > 0 ? [`parameters: ${parameters.join(', ')}`] : []),
    ...(form ? [`form: ${body} (${form.names.join(', ')}), in ${form.file}`] : []),
    ...(file === undefined ? [] : [`file: ${file}`]),
    `for: ${words(requires, folder)}`,
  ];
}

/** Says what a name of a folder stands for, in lines of plain text; undefined where nothing more is known of it. */
export function describeName(folder: EditedFolder, named: Named): readonly string[] | undefined {
  const { what, name } = named;
  const { names, sources } = folder;
  switch (what) {
    case 'operation': {
      const operation = names.operations.get(name);
      if (!operation) return undefined;
      const { reply } = operation;
      return [...describeOperation(name, operation, folder), `answers: ${JSON.stringify(reply ?? 'nothing')}`];
    }
    case 'text':
      return textsOf(folder, named);
    case 'field':
      return describeField(name, folder);
    case 'requirement': {
      const meaning = names.requirements.meanings.get(name);
      return meaning && [`${name}: ${describeRequirement({ ...meaning }, names.requirements.nameOf)}`];
    }
    case 'command': {
      const command = names.commands.get(name);
      if (!command) return undefined;
      const { parameters = [], body, requires } = command;
      const taken = [...parameters, ...(body === undefined ? [] : [`the form ${body}`])];
      return [name, ...(taken.length > 0 ? [`takes: ${taken.join(', ')}`] : []), `for: ${words(requires, folder)}`];
    }
    case 'form':
      return listed(`fields of ${name}`, names.forms.get(name)?.names);
    case 'popup':
      return listed(`parameters of ${name}`, names.popups.get(name));
    case 'part':
      return listed(`parameters of ${name}`, names.parts.get(name));
    case 'catalogue':
      return listed(`values of ${name}`, names.catalogues.get(name)?.values.map(String));
    default:
      return declarationsOf(named, sources).map(({ file }) => `${what} ${name}, in ${file}`);
  }
}

const listed = (of: string, found: readonly string[] | undefined): readonly string[] | undefined =>
  found && [`${of}: ${found.length === 0 ? 'none' : found.join(', ')}`];

/** Quotes a text in each language. */
function textsOf({ sources }: EditedFolder, named: Named): readonly string[] | undefined {
  const files = new Map(sources.map(source => [source.file, source]));
  const found = declarationsOf(named, sources).map(({ file, at }) => {
    const text = valueAt(files.get(file)?.json, at);
    return `${placeOfTexts(file)?.language}: ${typeof text === 'string' ? text : JSON.stringify(text)}`;
  });
  return found.length === 0 ? undefined : [named.name, ...found];
}

/** Quotes the contract of a field: `customers.list.Items.Name`. */
function describeField(name: string, folder: EditedFolder): readonly string[] | undefined {
  const { contracts, requirements } = folder.names;
  const operation = [...contracts.keys()].find(one => name.startsWith(`${one}.`)) ?? '';
  const contract = contracts.get(operation);
  const fields = name.slice(operation.length + 1).split('.');
  const found = contract && followNames(fieldOf(contract), ['Result', ...fields]);
  if (found === undefined || typeof found === 'number') return undefined;
  const { type, optional } = found.contract;
  const kind = found.contract.type === 'value' ? found.contract.kind : type;
  const catalogue = found.contract.type === 'value' ? found.contract.catalogue : undefined;
  return [
    `${name}: ${kind}${catalogue === undefined ? '' : ` of the catalogue ${catalogue}`}${optional ? ', may be missing' : ''}`,
    ...found.requires.map(requirement => `for: ${describeRequirement(requirement, requirements.nameOf)}`),
  ];
}
