/**
 * The records of SignalR's JSON hub protocol, each ended by 0x1e:
 * https://github.com/dotnet/aspnetcore/blob/main/src/SignalR/docs/specs/HubProtocol.md
 */
const separator = '\u001e';

const encode = (record: object) => JSON.stringify(record) + separator;

/** Writes the hub's answer to a handshake (SignalR's JSON protocol): empty, or with the error. */
export const handshakeReply = (error: string | undefined) => encode(error === undefined ? {} : { error });
/** Writes the message by which the hub calls a method of the client (SignalR's JSON protocol). */
export const invocation = (target: string, args: readonly unknown[]) => encode({ type: 1, target, arguments: args });
export const ping = encode({ type: 6 });
/** Tells the client that it shall not come back. */
export const closing = encode({ type: 7 });

/** Splits a frame of SignalR's JSON protocol into its records; undefined for one that cannot be read. */
export function parseRecords(frame: string): (Record<string, unknown> | undefined)[] {
  if (!frame.endsWith(separator)) return [undefined];
  return frame.slice(0, -1).split(separator).map(parseRecord);
}

function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const record: unknown = JSON.parse(text);
    return record !== null && typeof record === 'object' ? (record as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
