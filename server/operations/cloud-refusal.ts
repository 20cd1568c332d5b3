import type { CloudReply } from '../cloud/call.ts';

/** The reply of the cloud said no: it goes to the user as it is. */
export class Declined extends Error {
  readonly reply: CloudReply;
  constructor(reply: CloudReply) {
    super('declined');
    this.reply = reply;
  }
}

/** What was declined on the way is the reply; all else goes on. */
export async function orDeclined<T>(work: Promise<T>): Promise<T | CloudReply> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Declined) return error.reply;
    throw error;
  }
}
