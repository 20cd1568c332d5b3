import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hostedPagePattern } from '../../../shared/contract/hosted-page.ts';
import { liveChatPattern } from '../../../shared/contract/live-chat.ts';
import type { LayoutText } from '../../../shared/language/types.ts';
import { openHostedPage } from '../../calls/hosted-page.ts';
import { openLiveChat } from '../../calls/live-chat.ts';
import { type CameBack, signOnAgain } from '../../commands/sign-in/sign-on.ts';
import { isLoopback } from '../../config.ts';
import { PortalError } from '../../errors.ts';
import type { Access } from '../../layouts/index.ts';
import { productName } from '../../operations/product-name.ts';
import { hashOfStyle, writeBrandStyle } from '../replies/brand-style.ts';
import { sendText } from '../replies/compression.ts';
import { readCookie, signOnCookieName } from '../replies/cookie.ts';
import { writeDocument } from '../replies/document.ts';
import { keepCookies } from '../replies/kept-cookies.ts';
import { readNoticeData } from '../replies/notice-data.ts';
import { onlyLooks } from '../replies/only-looks.ts';
import { loginFor } from '../replies/resolve-screen.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';
import { type ScreenText, writeScreen } from '../replies/screen-reply.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers a person who follows a link: failures are pages too. */
    page?: boolean;
  }
}

/** Pages whose own status tells programs what they tell people (document 1, section 2.1). */
const statuses: Readonly<Record<string, number>> = {
  '/not-found': 404,
  '/access-denied': 403,
  '/access-denied/{mark}': 403,
};

/** As the browser will name it; a title that needs data is named by the product, or its brand, alone until then. */
function titleOf(access: Access, title: LayoutText, brand: string | undefined): string {
  const name = typeof title === 'string' && !title.includes('{{') ? title : '';
  return [name, brand || productName(access)].filter(Boolean).join(' · ');
}

/** What is not there among assets and calls is no page, and neither is an image. */
function wantsPage({ headers, url }: FastifyRequest): boolean {
  if (/^\/(?:ui|auth|assets|brand)(?:\/|$)/.test(url)) return false;
  return headers.accept === undefined || /text\/html|\*\/\*/.test(headers.accept);
}

/** The page of an address, or where to go instead; a session that ended just now leads to signing in. */
async function openPage(parts: RouteParts, { caller, url }: FastifyRequest): Promise<ScreenText> {
  try {
    return await writeScreen(parts, caller, url);
  } catch (error) {
    if (!(error instanceof PortalError) || error.code !== 'SESSION_ENDED') throw error;
    return { redirect: loginFor(new URL(url, 'http://portal.invalid')) };
  }
}

/**
 * True for another name of this machine than the portal's own, with its port. Cookies of one are none of the other, so
 * that a browser that an identity provider leads back to the portal's own would have lost them.
 */
function isOtherLoopback(host: string, own: string): boolean {
  if (own.endsWith(`//${host}`) || !URL.canParse(`http://${host}`)) return false;
  const [asked, { protocol, hostname, port }] = [new URL(`http://${host}`), new URL(own)];
  const isSibling = isLoopback(asked.hostname) && isLoopback(hostname) && asked.port === port;
  return isSibling && protocol === 'http:' && asked.hostname !== hostname;
}

const otherOrganisation = '/other-organisation';

/**
 * Document 1, section 4: who has signed in elsewhere for another organisation signs in here anew. They are asked first,
 * since opening a page changes nothing. Undefined for the page of the question.
 */
function questionFor({ url }: FastifyRequest): string | undefined {
  const address = new URL(url, 'http://portal.invalid');
  return address.pathname === otherOrganisation ? undefined : loginFor(address).replace('/login', otherOrganisation);
}

/**
 * Finds where the sign-in page leads by itself: who is sent there in the middle of work goes back to the identity provider
 * that they signed in by. Undefined for whoever signs in by a password, opens the page on purpose or has just failed there, and
 * for a look ahead of a click.
 */
async function wayBack({ services }: RouteParts, request: FastifyRequest): Promise<CameBack | undefined> {
  const { caller, headers, url } = request;
  const cookie = caller.session ? undefined : readCookie(headers.cookie, signOnCookieName);
  if (cookie === undefined || onlyLooks(request)) return undefined;
  const { pathname, searchParams } = new URL(url, 'http://portal.invalid');
  const returnTo = searchParams.get('return');
  if (pathname !== '/login' || returnTo === null || searchParams.has('signOn')) return undefined;
  return signOnAgain({ caller, services }, cookie, returnTo);
}

/** Adds the route of every other address: the HTML page of a screen with boot, layout and first data inlined. */
export function addPageRoute(app: FastifyInstance, parts: RouteParts): void {
  const { client, bootText, organisation, services } = parts;
  const isElsewhere = ({ headers: { host = '' } }: FastifyRequest): boolean =>
    isOtherLoopback(host, services.ownOrigin());
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!wantsPage(request)) throw new PortalError('NOT_FOUND');
    if (isElsewhere(request)) return reply.redirect(services.ownOrigin() + request.url, 302);
    const question = organisation.namesAnotherOrganisation(request) ? questionFor(request) : undefined;
    if (question !== undefined) return reply.redirect(question, 302);
    const back = await wayBack(parts, request);
    if (back) {
      keepCookies(reply, back, organisation);
      return reply.redirect(back.to, 302);
    }
    const notices = readNoticeData(parts, request.caller);
    const found = await openPage(parts, request);
    if ('redirect' in found) return reply.redirect(found.redirect, 302);
    const { json, screen } = found;
    const { layout } = screen.layout;
    const { caller } = request;
    const { look } = caller.principal.facts;
    const title = titleOf(caller.access, layout.kind === 'screen' ? layout.title : '', look?.name);
    const style = look && writeBrandStyle(look);
    if (style !== undefined) reply.brandStyle = hashOfStyle(style);
    // A look at the head, or ahead of a click, would use the ticket up.
    const isOpened = !onlyLooks(request);
    const hostedPage =
      isOpened && screen.pattern === hostedPagePattern
        ? await openHostedPage(services, caller, screen.parameters.ticket)
        : undefined;
    if (hostedPage) reply.framedSources = new URL(hostedPage.src).origin;
    const liveChat =
      isOpened && screen.pattern === liveChatPattern
        ? await openLiveChat(services, caller, screen.parameters.ticket)
        : undefined;
    // The frame begins at the portal, which hands it over.
    if (liveChat) reply.framedSources = `'self' ${liveChat.origin}`;
    const html = writeDocument({
      client,
      lang: caller.access.lang,
      title,
      serverText: caller.access.serverText,
      boot: bootText(caller).pageJson,
      screen: json,
      notices: JSON.stringify(await notices),
      hostedPage,
      liveChat,
      look,
      style,
    });
    return sendText(reply.code(statuses[screen.pattern] ?? 200).type('text/html; charset=utf-8'), html);
  };
  const schema = { hide: true };
  const config = { page: true };
  app.get('/', { schema, config }, answer);
  app.get('/*', { schema, config }, answer);
}
