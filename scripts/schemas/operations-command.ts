import { describeOperation } from '../../server/editing/describe-name.ts';
import { defaultFolder, type SchemasCommand, tell } from './command.ts';

/** Lists the operations of a folder, or those whose name has a word in it. */
export const operationsCommand: SchemasCommand = {
  usage: [['operations [word]', 'the operations that there are: method, parameters, form, and who may call them']],
  async run([word = '']) {
    return tell(defaultFolder(), compiled => {
      const found = [...compiled.names.operations].filter(([name]) => name.includes(word));
      const described = found
        .sort()
        .map(([name, operation]) => describeOperation(name, operation, compiled).join('\n  '));
      return [...described, `${found.length} operations`].join('\n');
    });
  },
};
