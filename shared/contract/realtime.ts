/** An error in a saved document, and where it stands. */
export type DocumentError = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

/** The first errors of the saved documents, and how many others there are. */
export type DocumentErrors = { readonly errors: readonly DocumentError[]; readonly others: number };

/** Events that the server sends over Socket.IO. They only hint: what is shown is always read again. */
export type ServerEvents = {
  /** Names of events that data sources may listen to (`refreshOn`). */
  publish: (events: readonly string[]) => void;
  /** Hash of the boot that this caller would be given now; a browser with another one reads its boot again. */
  boot: (hash: string) => void;
  /** This process is about to stop: the browser comes back at a random moment within so many milliseconds. */
  restarting: (within: number) => void;
  /** In development: what is wrong with the documents as they are saved; no errors once they are right again. */
  'document-errors': (found: DocumentErrors) => void;
  /** The session is gone; the socket closes. */
  'session-ended': () => void;
};

/** Path of the Socket.IO endpoint; WebSocket transport only. */
export const socketPath = '/ui/socket';
