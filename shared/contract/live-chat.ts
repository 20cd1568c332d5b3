/** Address of the page that frames the live chat, by its ticket. */
export const liveChatPattern = '/live-chat/{ticket}';

/** Id of the JSON that this page carries inline. */
export const liveChatElement = 'live-chat';

/** Content of the page of the live chat; its frame can be opened once. */
export type LiveChat = {
  readonly ticket: string;
  /** Address of the portal that hands the frame over to the chat. */
  readonly src: string;
  /** Origin of the chat, whose messages alone are heard. */
  readonly origin: string;
};

/** The one message of the chat to the page around it: that it is there. */
export type LiveChatMessage = { readonly kind: 'ready' };
