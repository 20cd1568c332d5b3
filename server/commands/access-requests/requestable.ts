import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import type { PortalRequest } from '../portal-answer.ts';

/** By then every process knows of rights that were given, in milliseconds. */
const rightsArriveWithin = 60_000;

/**
 * Tells what a mark stands for, if the caller may ask for it or has asked, with what became of the newest request for it.
 * @throws {PortalError} NOT_FOUND
 */
export async function readRequestable(asked: PortalRequest) {
  const mark = String(asked.parameters.mark);
  const wanted = asked.caller.access.requestable.get(mark);
  const newest = (await ask(asked, 'accessRequests.own')).find(({ Mark }) => Mark === mark);
  const title = wanted?.title ?? newest?.Title;
  if (title === undefined) throw new PortalError('NOT_FOUND', { detail: 'nothing that the caller may ask for' });
  // Rights that were given long ago and are lacking again may be asked for again; just now, this process knows late.
  const isLost =
    wanted && newest?.State === 'Granted' && Date.now() - Date.parse(String(newest.Ended)) > rightsArriveWithin;
  return {
    ...{ Mark: mark, Title: title },
    ...(newest && !isLost && { State: newest.State, Answer: newest.Answer, Id: newest.Id }),
  };
}
