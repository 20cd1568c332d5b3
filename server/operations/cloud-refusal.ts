import type { CloudReply } from '../cloud/call.ts';

/** The cloud refused a call (`Succeed: false`). Its reply goes to the user unchanged. */
export class Declined extends Error {
  readonly reply: CloudReply;
  constructor(reply: CloudReply) {
    super('declined');
    this.reply = reply;
  }
}

/** Gives the result of `work`, or the cloud's reply if it throws Declined. Other errors pass through. */
export async function orDeclined<T>(work: Promise<T>): Promise<T | CloudReply> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Declined) return error.reply;
    throw error;
  }
}
