import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { mutate } from 'swr';
import { start } from '../../client/app.tsx';
import { setAddress } from '../dom.ts';
import '../../client/nodes/index.ts';
import { forgetPrefetched } from '../../client/runtime/data/prefetched-replies.ts';
import { keepFocus } from '../../client/runtime/page/focus-keeper.ts';
import type { PageHost } from '../../client/runtime/page/page-host.ts';
import { signedInParts } from '../../client/shell/signed-in-parts.ts';
import type { Boot, ScreenReply } from '../../shared/contract/boot.ts';
import type { CallRequest } from '../../shared/contract/call.ts';
import type { Envelope } from '../../shared/contract/envelope.ts';
import type { Layout, Node, ScreenLayout } from '../../shared/language/types.ts';
import { words } from './mount.ts';

export type Heard = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body?: CallRequest;
};
export type TestReply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** A portal that answers what a test tells it to, over real HTTP. */
export type TestPortal = {
  boot: Boot;
  /** Layouts by hash; the hash of a screen or popup is its id until a test says otherwise. */
  readonly layouts: Map<string, Layout>;
  /** First data by pathname. */
  readonly first: Map<string, Record<string, Envelope>>;
  /** Answers by `METHOD path`, or by a prefix of it; asked before everything else. */
  readonly answers: Map<string, (heard: Heard) => TestReply | Promise<TestReply>>;
  readonly heard: Heard[];
  readonly http: Server;
  readonly origin: string;
  close(): Promise<void>;
};

export const screenOf = (id: string, children: readonly Node[], more: Partial<ScreenLayout> = {}): ScreenLayout => ({
  kind: 'screen',
  id,
  route: `/${id}`,
  title: `The ${id}`,
  children,
  ...more,
});

/** Starts a portal with these layouts; routes and popups follow from them. */
export async function startPortal(layouts: readonly Layout[], boot: Partial<Boot> = {}): Promise<TestPortal> {
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const heard: Heard = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      ...(text && { body: JSON.parse(text) }),
    };
    portal.heard.push(heard);
    const { status = 200, headers, body } = await answer(portal, heard);
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const principal: Boot['principal'] = {
    type: 'reseller',
    name: 'Priya Raman',
    email: 'priya@fernhill.test',
    userId: 'u1',
    identity: 'u1',
    organisationId: 'o1',
    organisationName: 'Fernhill',
    currency: 'GBP',
    locale: 'en-GB',
  };
  const portal: TestPortal = {
    boot: {
      hash: 'h1',
      runtime: 'r1',
      principal,
      routes: layouts.flatMap(layout =>
        layout.kind === 'screen' ? [[layout.route, layout.id, layout.id] as const] : [],
      ),
      popups: Object.fromEntries(layouts.flatMap(layout => (layout.kind === 'popup' ? [[layout.id, layout.id]] : []))),
      landing: '/',
      words: { ...words, product: 'Fernhill Cloud' },
      ...boot,
    },
    layouts: new Map(layouts.map(layout => [layout.id, layout])),
    first: new Map(),
    answers: new Map(),
    heard: [],
    http,
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async close() {
      close();
      http.closeAllConnections();
      await new Promise(resolve => http.close(resolve));
    },
  };
  return portal;
}

async function answer(portal: TestPortal, heard: Heard): Promise<TestReply> {
  const name = `${heard.method} ${heard.url}`;
  const key = [...portal.answers.keys()]
    .filter(prefix => name.startsWith(prefix))
    .sort((a, b) => b.length - a.length)[0];
  if (key !== undefined) return (portal.answers.get(key) as (heard: Heard) => TestReply)(heard);
  if (heard.url === '/ui/boot') return { body: portal.boot };
  if (heard.url === '/ui/popups') return { body: portal.boot.popups };
  if (heard.url.startsWith('/ui/layouts/')) {
    const layout = portal.layouts.get(heard.url.slice('/ui/layouts/'.length));
    return layout ? { body: layout } : { status: 404, body: { Succeed: false, Error: 'Not found' } };
  }
  if (heard.url.startsWith('/ui/screen')) {
    const query = new URL(heard.url, portal.origin).searchParams;
    return { body: replyFor(portal, query.get('path') ?? '', query.get('have')) };
  }
  return { status: 404, body: { Succeed: false, Error: `Nothing at ${name}` } };
}

function replyFor(portal: TestPortal, path: string, have: string | null): ScreenReply {
  const pathname = path.split('?')[0] as string;
  const hash = portal.boot.routes.find(([pattern]) => pattern === pathname)?.[2] as string;
  const layout = portal.layouts.get(hash) as ScreenLayout;
  return { hash, route: {}, data: portal.first.get(pathname) ?? {}, ...(have !== hash && { layout }) };
}

export type OpenPage = {
  readonly host: PageHost;
  readonly user: ReturnType<typeof userEvent.setup>;
  /** Addresses that the page was left for. */
  readonly left: string[];
};

let close = () => {};

/** Opens an address of the portal as a browser does with a new page. */
export async function openPage(portal: TestPortal, path: string): Promise<OpenPage> {
  // The page before is gone, as it is in a browser.
  close();
  // A new page has read nothing yet.
  forgetPrefetched();
  await mutate(() => true, undefined);
  document.body.innerHTML = '<div id="root"></div>';
  setAddress(portal.origin + path);
  history.replaceState(null, '', path);
  const left: string[] = [];
  const leave = { assign: (to: string) => void left.push(to), reload: () => void left.push('reload') };
  // A page names no popups.
  const { popups: _, ...boot } = portal.boot;
  let host: ReturnType<typeof start> | undefined;
  await act(async () => {
    host = start(
      { boot, screen: replyFor(portal, path, null), notices: {} },
      { parts: signedInParts, loadLatePage: () => import('../../client/runtime/page/late-page.ts') },
      leave,
    );
  });
  // The first data sources are kept fresh from now on: they are asked for once the page is drawn.
  await act(() => new Promise<void>(resolve => void setTimeout(resolve)));
  await act(() => import('../../client/runtime/page/late-page.ts'));
  // Replies of a real server come when they come, not inside of act.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  const endKeeping = keepFocus();
  close = () => {
    close = () => {};
    act(() => host?.close());
    endKeeping();
  };
  return { host: host as PageHost, user: userEvent.setup(), left };
}

/** Waits until the screen with this title is shown. */
export const shown = (title: string) => screen.findByRole('heading', { level: 1, name: title });

/** Waits until a request of this kind was heard; gives all such. */
export async function heardOf(portal: TestPortal, prefix: string, count = 1): Promise<Heard[]> {
  const all = () => portal.heard.filter(({ method, url }) => `${method} ${url}`.startsWith(prefix));
  await waitFor(() => {
    if (all().length < count)
      throw new Error(
        `${prefix} was heard ${all().length} times of ${count}; heard: ${portal.heard.map(({ url }) => url).join(', ')}`,
      );
  });
  return all();
}
