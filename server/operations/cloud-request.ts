import type { Operation } from '../../shared/language/types.ts';
import { networkOf } from '../../shared/rules/ip-address.ts';
import type { CloudRequest } from '../cloud/call.ts';
import type { Caller } from './caller.ts';
import { moveForCaller } from './moved-operation.ts';
import { wordRefusalFor } from './word-refusal.ts';

/** The parts of a request that differ from call to call; its parameters are checked already. */
type Sent = Pick<CloudRequest, 'parameters' | 'body' | 'press' | 'automatic' | 'signal'>;

/** The request of a caller to the cloud, with the caller's credentials, trace, network and words for refusals. */
export function cloudRequest(caller: Caller, operation: Operation, sent: Sent): CloudRequest {
  return {
    ...sent,
    operation: moveForCaller(operation, caller.principal),
    credentials: caller.session?.credentials,
    trace: caller.trace,
    network: networkOf(caller.address),
    address: caller.address,
    wordRefusal: wordRefusalFor(caller),
  };
}
