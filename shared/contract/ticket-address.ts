/** Address of the screen on which a ticket is opened. */
export const newTicketScreen = '/support/add-new-ticket';

/** Characters of an address that a ticket keeps at most. */
const longest = 490;

/** Gives the address at which a ticket is opened about a failure on a page, with its reference number. */
export const ticketAddress = (screen: string, reference?: string): string =>
  `${newTicketScreen}?${new URLSearchParams({ kind: 'Page', screen: screen.slice(0, longest), ...(reference && { reference }) })}`;
