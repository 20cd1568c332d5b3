/** What the provider says once its form was sent, all of it text. */
export type Callback = {
  readonly callbackPath: string;
  readonly tenantId: string;
  readonly pageId: string;
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly timestamp: string;
  /** '' where it succeeded. */
  readonly errorCode: string;
  /** What the page was given to pass through; the portal puts its nonce into the first. */
  readonly passthrough1: string;
};

/**
 * Writes the text of a callback that the card provider signs: its documented fields in their order, without four
 * unused.
 */
export const textToSign = (callback: Callback): string =>
  [
    callback.callbackPath,
    callback.tenantId,
    callback.pageId,
    callback.token,
    callback.timestamp,
    callback.errorCode,
    callback.passthrough1,
    ...['', '', '', ''],
  ].join('#');

/** Writes the text whose signature lets the browser open the card provider's hosted page. */
export const pageText = (page: {
  readonly uri: string;
  readonly tenantId: string;
  readonly pageId: string;
  readonly token: string;
}): string => [page.uri, page.tenantId, page.pageId, page.token].join('#');
