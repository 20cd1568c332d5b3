import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { PortalError } from '../../errors.ts';

export type BodyBounds = {
  readonly bytes: number;
  /** Between two parts of the body, while the portal is ready for the next. */
  readonly milliseconds: number;
  /** What ends a body that is too large, or has nothing in it. */
  refuse(why: 'large' | 'empty'): PortalError;
};

/** Gives the next part in time. Throws LATE, and BAD_REQUEST where the browser has left. */
function nextPart(parts: AsyncIterator<Buffer>, milliseconds: number): Promise<IteratorResult<Buffer>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new PortalError('LATE', { detail: 'part of a file' })), milliseconds);
    parts
      .next()
      .then(resolve, cause => reject(new PortalError('BAD_REQUEST', { cause, detail: 'the body was cut off' })))
      .finally(() => clearTimeout(timer));
  });
}

async function* partsOf(body: IncomingMessage, { bytes, milliseconds, refuse }: BodyBounds): AsyncGenerator<Buffer> {
  // A body that is destroyed takes the connection along, on which the refusal is to go out.
  const parts = body.iterator({ destroyOnReturn: false });
  let size = 0;
  try {
    for (let part = await nextPart(parts, milliseconds); !part.done; part = await nextPart(parts, milliseconds)) {
      size += part.value.length;
      if (size > bytes) throw refuse('large');
      yield part.value;
    }
    if (size === 0) throw refuse('empty');
  } finally {
    // What is left is dropped as it comes: a browser hears of a refusal only once it has sent all.
    void parts.return?.().then(
      () => body.resume(),
      () => undefined,
    );
  }
}

/** Gives a request's body as a stream within limits of bytes and time; buffers no more than the reader is behind. */
export const boundBody = (body: IncomingMessage, bounds: BodyBounds): Readable =>
  Readable.from(partsOf(body, bounds), { objectMode: false });
