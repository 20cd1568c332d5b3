import { callHeader } from '../../../shared/contract/call.ts';
import { portalHeader, pressHeader, userHeader } from '../../../shared/contract/envelope.ts';
import { type Portal, speechFor } from '../../runtime/state/portal.ts';
import type { PostCall } from '../../runtime/state/post-call.ts';

type Sending = {
  readonly portal: Portal;
  readonly file: File;
  /** Its media type by its ending; what the browser takes it for may be wrong. */
  readonly type: string;
  /** Told the share of the file that has been sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
};

/** Milliseconds; the portal itself gives up sooner. */
const patience = 330_000;

/** The key of a press is for this file: the same name may stand for another by now. */
const keyFor = (key: string | undefined, { size, lastModified }: File): string => `${key}-${size}-${lastModified}`;

/**
 * Sends a file in place of the JSON body of a call. XMLHttpRequest, as fetch does not tell how much has been sent. Throws an
 * Error that says why no answer came.
 */
export function sendFile(
  { portal, file, type, onProgress }: Sending,
  ...[address, { body: _, ...call }, headers]: Parameters<PostCall>
): ReturnType<PostCall> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address.replace('/ui/call/', '/ui/uploads/'));
    const sent = {
      ...headers,
      [portalHeader]: '1',
      [userHeader]: encodeURI(portal.boot.get().principal.identity),
      [callHeader]: encodeURIComponent(JSON.stringify(call)),
      [pressHeader]: keyFor(headers[pressHeader], file),
      'content-type': type,
    };
    for (const [name, value] of Object.entries(sent)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => {
      const { status } = request;
      // The session is somebody else's by now.
      if (status === 412) portal.host.reload();
      const isJson = request.getResponseHeader('content-type')?.includes('json');
      resolve({ status, body: isJson ? JSON.parse(request.responseText) : undefined });
    };
    const fail = (word: string) => () => reject(new Error(speechFor(portal).word(word)));
    request.timeout = patience;
    request.ontimeout = fail('error.timeout');
    request.onerror = fail('error.offline');
    request.send(file);
  });
}
