import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../../shared/language/types.ts';
import { type Document, setIn } from './edit-folder.ts';
import { describedReply, mergeReply } from './import.ts';
import { placesOf, replyAt } from './open-api.ts';
import type { OpenApi } from './open-api-types.ts';

/**
 * Writes the replies that the cloud's OpenAPI description declares into operations of the documents: those named, or
 * all. More exact kinds and requirements that are there already stay. Throws for a name that no operation has.
 */
export function importInto(documents: readonly Document[], openApi: OpenApi, names: readonly string[]): void {
  const missing = new Set(names);
  for (const document of documents) {
    const operations = (document.json.operations ?? {}) as Readonly<Record<string, Operation>>;
    for (const [name, operation] of Object.entries(operations)) {
      missing.delete(name);
      if ((names.length > 0 && !names.includes(name)) || operation.service === 'portal' || operation.file) continue;
      const described = describedReply(openApi, operation);
      if (names.includes(name) && replyAt(openApi, operation.method, operation.path)?.isSilent !== false)
        openApi.unread.add(`The cloud says nothing of the reply of "${operation.method} ${operation.path}".`);
      const reply = described === undefined ? undefined : mergeReply(described, operation.reply);
      if (reply !== undefined && !isDeepStrictEqual(reply, operation.reply))
        setIn(document, ['operations', name, 'reply'], reply);
      if (reply !== undefined && operation.envelope !== false && hasNoEnvelope(openApi, operation))
        setIn(document, ['operations', name, 'envelope'], false);
    }
  }
  for (const name of missing)
    throw new Error(
      `There is no operation "${name}". Write it with ${name}=<path of the cloud> in its place, such as ${name}=/api/orders.`,
    );
}

/** True for an operation whose reply is all Result, at every place where the cloud offers it. */
function hasNoEnvelope(openApi: OpenApi, operation: Operation): boolean {
  const replies = placesOf(operation).flatMap(({ method, path }) => replyAt(openApi, method, path) ?? []);
  return replies.length > 0 && replies.every(({ hasEnvelope }) => !hasEnvelope);
}
