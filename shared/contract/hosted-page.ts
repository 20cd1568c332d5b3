/** Address of the page that frames a provider's form, by its ticket. */
export const hostedPagePattern = '/hosted-page/{ticket}';

/** Command behind the node that frames it: takes what the provider signed. */
export const finishHostedPage = 'hosted-page.finish';
/** In the body of that command, beside the provider's own fields: the key that this page was opened with. */
export const pageKey = '$page';

/** Most fields that a form may answer, and most characters in each; what they say is the cloud's to read. */
export const mostFields = 40;
export const longestField = 4000;

/** Id of the JSON that a page with a frame carries inline. */
export const hostedPageElement = 'hosted-page';
/** What a hosted page is opened with; it can be opened once. */
export type HostedPage = {
  readonly ticket: string;
  /** Address of the provider's form. */
  readonly src: string;
  /** Every message of the form carries it. */
  readonly nonce: string;
  readonly key: string;
};

/** What a form of a provider tells the page around it, each with the nonce that it was opened with. */
export type HostedMessage =
  | { readonly nonce: string; readonly kind: 'height'; readonly height: number }
  /** It was sent and is done; what is in the fields only the cloud can judge. */
  | { readonly nonce: string; readonly kind: 'answer'; readonly fields: Readonly<Record<string, string>> };
