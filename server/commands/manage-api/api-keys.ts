import { readLines } from '../../../shared/rules/read-lines.ts';
import { searchKey } from '../../../shared/rules/search-key.ts';
import { PortalError } from '../../errors.ts';
import { type ApiOperation, apiOperationsOf } from '../../operations/api-operations.ts';
import { ask } from '../../operations/ask.ts';
import type { Caller } from '../../operations/caller.ts';
import { staleAfter } from '../../operations/stale-reads.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command } from '../command.ts';
import type { PortalRequest } from '../portal-answer.ts';

const defaultSize = 25;

/** Lists the operations that a key of the caller could open and a search finds, in the words of people, by name. */
function listOpenable({ caller, services }: Pick<PortalRequest, 'caller' | 'services'>, search: string) {
  const account = caller.session?.account ?? '';
  if (!services.actsTried.take(account)) throw new PortalError('TOO_MANY');
  const acts = caller.version.acts(caller.principal);
  const words = searchKey(search);
  return [...apiOperationsOf(caller).values()]
    .map(({ name, method, operation }) => {
      const { name: Name = name, on = '' } = acts.get(name) ?? {};
      return {
        Operation: name,
        Name,
        Kind: operation.file !== undefined ? 'File' : method === 'GET' ? 'Data' : 'Act',
        Detail: on === '' ? name : `${name} · ${on}`,
      };
    })
    .filter(({ Name, Detail }) => words === '' || searchKey(`${Name} ${Detail}`).includes(words))
    .toSorted((a, b) => a.Name.localeCompare(b.Name) || a.Operation.localeCompare(b.Operation));
}

/** Lists the operations that a key of the caller could open, a page of those that a search finds. */
export async function listApiOperations(asked: PortalRequest) {
  const { page, pageSize, search } = asked.parameters;
  const rows = listOpenable(asked, String(search ?? ''));
  const size = Number(pageSize ?? defaultSize);
  const first = (Number(page ?? 1) - 1) * size;
  return { Items: rows.slice(first, first + size), Total: rows.length };
}

/** Names all operations that a search finds, for the list of those that a key is to open. */
export const apiKeyAllOperations: Command = {
  declaration: {
    name: 'manage-api.all-operations',
    parameters: ['search'],
    reply: { keys: ['id'] },
    requires: 'api-key-manager',
  },
  async run({ caller, services, with: { search } }) {
    const keys = listOpenable({ caller, services }, textOf(search)).map(({ Operation }) => Operation);
    return { envelope: { Succeed: true, Result: { keys } } };
  },
};

/** Gives the entries of a text that are parted by spaces, commas or semicolons. */
const entriesOf = (text: string): string[] => text.split(/[\s,;]+/).filter(entry => entry !== '');

/** The calls that an operation makes of the cloud, at each address that it has. */
function callsOf({ operation: { method, path, elsewhere = [] } }: ApiOperation): string[] {
  const [plain = ''] = path.split('?');
  return [`${method} ${plain}`, ...elsewhere.map(place => `${place.method ?? method} ${place.path.split('?')[0]}`)];
}

/** Gives the chosen operations. @throws {PortalError} NOTHING_CHOSEN, and BAD_REQUEST for one that the caller lacks */
function chosenOf(caller: Caller, names: readonly string[]): readonly ApiOperation[] {
  const own = apiOperationsOf(caller);
  if (names.length === 0) throw new PortalError('NOTHING_CHOSEN');
  return names.map(name => {
    const found = own.get(name);
    if (!found) throw new PortalError('BAD_REQUEST', { detail: `no operation ${name.slice(0, 80)} for a key` });
    return found;
  });
}

/** Makes a key for the chosen operations, of those that its creator may do; the reply is the one time it is told. */
export const apiKeyRegister: Command = {
  declaration: {
    name: 'manage-api.register',
    parameters: [],
    ownBody: true,
    requires: 'api-key-manager',
    asks: ['manageApi.register'],
    reply: { Key: 'text', Name: 'text' },
  },
  async run(context) {
    const { caller, body, services } = context;
    const chosen = chosenOf(caller, readLines(body.Operations));
    const { Key, Name } = await ask(
      context,
      'manageApi.register',
      {},
      {
        body: {
          ...{ Name: textOf(body.Name), Days: textOf(body.Days), Addresses: entriesOf(textOf(body.Addresses)) },
          ...{ Operations: chosen.map(({ name }) => name), Calls: chosen.flatMap(callsOf) },
        },
      },
    );
    // Its first call is not held up by what others of its network try.
    await services.attempts.knowKey(textOf(Key)).catch((error: Error) => {
      // The key is shown this once, whatever else fails.
      services.log.warn({ reason: error.message }, 'a new key is not known for a good one yet');
    });
    const effects = staleAfter(caller, 'manageApi.register');
    return { envelope: { Succeed: true, Result: { Key, Name }, effects } };
  },
};
