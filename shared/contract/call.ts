/**
 * Header of `POST /ui/uploads/{operation}`, whose body is a file: a CallRequest without body, as percent-encoded JSON.
 */
export const callHeader = 'x-portal-call';

/** Body of `POST /ui/call/{operation}`, `POST /ui/command/{command}` and `POST /auth/{step}`. */
export type CallRequest = {
  /** Id of the node whose effect this is. */
  readonly node: string;
  /** Hash of the layout in which it was pressed. */
  readonly layout: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
};
