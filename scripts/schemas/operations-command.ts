import { describeRequirement } from '../../server/access/describe-requirement.ts';
import { neededParameters } from '../../server/layouts/check/call.ts';
import type { Compiled } from '../../server/layouts/names/pass.ts';
import type { Operation, Requirement } from '../../shared/language/types.ts';
import { defaultFolder, type SchemasCommand, tell } from './command.ts';

/** Describes an operation: how it is asked for, what it takes and who may call it. */
function describeOperation(name: string, operation: Operation, { names }: Compiled): string {
  const { method, path, body, file, requires, own = {}, description } = operation;
  const needed = neededParameters(operation);
  const parameters = Object.keys(operation.with ?? {}).map(parameter => {
    const by = own[parameter]?.userTypes.join(', ');
    return `${parameter}${needed.includes(parameter) ? '' : '?'}${by === undefined ? '' : ` (the caller's own for ${by})`}`;
  });
  const form = body === undefined ? undefined : names.forms.get(body);
  const lines = [
    ...(description === undefined ? [] : [description]),
    ...(parameters.length > 0 ? [`parameters: ${parameters.join(', ')}`] : []),
    ...(form ? [`form: ${body} (${form.names.join(', ')}), in ${form.file}`] : []),
    ...(file === undefined ? [] : [`file: ${file}`]),
    `for: ${requires === undefined ? 'everybody' : describeRequirement(requires as Requirement, names.requirements.nameOf)}`,
  ];
  return [`${name}  ${method} ${path}`, ...lines.map(line => `  ${line}`)].join('\n');
}

/** Lists the operations of a folder, or those whose name has a word in it. */
export const operationsCommand: SchemasCommand = {
  usage: [['operations [word]', 'the operations that there are: method, parameters, form, and who may call them']],
  async run([word = '']) {
    return tell(defaultFolder(), compiled => {
      const found = [...compiled.names.operations].filter(([name]) => name.includes(word));
      const described = found.sort().map(([name, operation]) => describeOperation(name, operation, compiled));
      return [...described, `${found.length} operations`].join('\n');
    });
  },
};
