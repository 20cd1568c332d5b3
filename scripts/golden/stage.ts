import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
export type Json = any;
export type Reply = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: Json };
/** One request and its reply, as they are noted. */
export type Note = (method: string, path: string, sent: Json, reply: Reply) => void;
export type Sent = { readonly with?: Json; readonly body?: Json };

/** The moment at which every record is taken. */
export const moment = Date.UTC(2030, 1, 13, 10, 20);
export const password = 'Demo-portal-2026';

/** Where the clock runs it is an hour later, when all that the seed leaves half-way is due. */
const later = moment + 3_600_000;

/** A module that sets the clock of a process to the moment, where it stands still, or to an hour later. */
function clockModule(runs: boolean, started: number): string {
  const now = runs ? `real() + ${later - started}` : `${moment}`;
  const code = `const real = Date.now; const now = () => ${now};
    globalThis.Date = class extends Date {
      constructor(...given) { if (given.length > 0) super(...given); else super(now()); }
      static now() { return now(); }
    };`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

const takeMailbox = [
  'switch-user',
  'choose-admin',
  'command:auth.switch-user',
  { body: { MasterControl: false } },
] as const;

/** A portal and its sandbox as processes of their own, and what differs between two runs of them. */
export class Stage {
  readonly url: string;
  readonly cloud: string;
  private readonly child: ChildProcess;
  private readonly started = Date.now();
  /** Hashes of layouts, each with what stands for it in the record. */
  private readonly hashes = new Map<string, string>();

  private constructor(ports: readonly number[], dataDir: string, runs: boolean) {
    [this.url, this.cloud] = ports.map(port => `http://127.0.0.1:${port}`) as [string, string];
    this.child = spawn(process.execPath, [join(import.meta.dirname, '../../dist/server/main.js')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        TZ: 'Europe/London',
        NODE_OPTIONS: `--import ${clockModule(runs, this.started)}`,
        PORT: String(ports[0]),
        SANDBOX_PORT: String(ports[1]),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'silent',
        RATE_LIMIT: '1000000',
        FIRST_DATA_MS: '60000',
        STOP_DELAY_MS: '0',
        SANDBOX_TICK_MS: runs ? '100' : '0',
        SANDBOX_PHASE_MS: '0',
        // Its name before 2.0.0, for a record of an older commit.
        SANDBOX_STEP_MS: '0',
      },
    });
  }

  /** On an empty data folder the sandbox fills its database at the moment. */
  static async start(dataDir: string, runs: boolean): Promise<Stage> {
    const stage = new Stage([await freePort(), await freePort()], dataDir, runs);
    for (let attempt = 0; attempt < 600; attempt += 1) {
      if (stage.child.exitCode !== null) break;
      const ready = await fetch(`${stage.url}/ready`).catch(() => undefined);
      if (ready?.ok) return stage;
      await sleep(500);
    }
    await stage.stop();
    throw new Error('The portal did not start.');
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null) return;
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  /** What the clock of the processes shows, where it runs. */
  now(): number {
    return later + Date.now() - this.started;
  }

  visitor(): Visitor {
    return new Visitor(this.url, boot => {
      for (const [pattern, , hash] of boot.routes ?? []) this.hashes.set(hash, `<layout ${pattern}>`);
      for (const [id, hash] of Object.entries(boot.popups ?? {})) this.hashes.set(String(hash), `<layout ${id}>`);
    });
  }

  async signIn(username: string): Promise<Visitor> {
    const visitor = this.visitor();
    const sent = { with: { username }, body: { Password: password } };
    const first = await visitor.press('/sign-in', 'sign-in', 'command:auth.sign-in', sent);
    const mustChoose = first.text.includes('"popup":"switch-user"');
    const { text, body } = mustChoose ? await visitor.press(...takeMailbox) : first;
    if (body?.Resources?.code !== 'SESSION_CHANGED') throw new Error(`${username} could not sign in: ${text}`);
    return visitor;
  }

  /** The text without addresses, hashes, tokens and, where the clock runs, without new ids and times. */
  mask(text: string, clockRuns = false): string {
    const masked = text
      .replaceAll(this.url, '<portal>')
      .replaceAll(this.cloud, '<cloud>')
      .replaceAll(this.url.slice(7), '<portal>')
      .replaceAll(this.cloud.slice(7), '<cloud>')
      .replaceAll(encodeURIComponent(this.url), '<portal>')
      .replace(/("(?:hash|runtime|reference|stamp|Handle)":\s*")[^"]*/g, '$1<any>')
      .replace(/(\?v=)[\w-]+/g, '$1<any>')
      // Numbers of the audit: they also count what is written beside the requests.
      .replace(/("At":\s*"[^"]*",\s*"Id":\s*")\d+/g, '$1<any>')
      .replace(/(?<![\w-])[\w-]{16}(?![\w-])/g, found => this.hashes.get(found) ?? found)
      .replace(/((?:assets\/[\w.-]*?|nonce[="-]+))[A-Za-z0-9_+/=-]{8,}/g, '$1<any>')
      .replace(
        /(?<![A-Za-z0-9_-])(?=[A-Za-z_-]*\d)(?=[0-9A-Z_-]*[a-z])[A-Za-z0-9_-]{40,}(?:\.[A-Za-z0-9_-]+)*/g,
        '<token>',
      );
    if (!clockRuns) return masked;
    return masked
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(Z|[+-]\d\d:\d\d)/g, time =>
        Date.parse(time) < moment ? time : '<time>',
      )
      .replace(/13\/02\/2030 (10:[2-5]|1[1-9]:\d)\d/g, '<time>');
  }
}

/** One browser without a page: its cookies, and what it asks. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  private readonly url: string;
  private readonly onBoot: (boot: Json) => void;
  private booted: Promise<Json> | undefined;
  /** Called with all that it asks, but for the boots that it needs itself. */
  note: Note | undefined;

  constructor(url: string, onBoot: (boot: Json) => void) {
    this.url = url;
    this.onBoot = onBoot;
  }

  async ask(method: string, path: string, body?: Json, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const reply = await this.send(method, path, body, headers);
    this.note?.(method, path, body, reply);
    return reply;
  }

  private async send(
    method: string,
    path: string,
    body?: Json,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const reply = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...this.cookies].map(pair => pair.join('=')).join('; '),
        ...(method !== 'GET' && { 'x-portal': '1', 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
      this.booted = undefined;
    }
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return { status: reply.status, headers: reply.headers, text, body: isJson ? JSON.parse(text) : undefined };
  }

  /** What the browser is told of its caller. */
  boot(): Promise<Json> {
    this.booted ??= this.send('GET', '/ui/boot').then(({ body }) => {
      this.onBoot(body);
      return body;
    });
    return this.booted;
  }

  /** The layout hash of a screen, by route or id, of a popup, or of the navigation. */
  async hashOf(name: string): Promise<string> {
    if (name === 'navigation') return name;
    const { routes, popups } = await this.boot();
    const route = routes.find(([pattern, id]: readonly string[]) => pattern === name || id === name);
    return route?.[2] ?? popups[name] ?? 'none';
  }

  /** Presses a node; `what` is "call:<operation>" or "command:<command>". */
  async press(layout: string, node: string, what: string, sent: Sent = {}): Promise<Reply> {
    const [kind, name = ''] = what.split(':');
    const path = name.startsWith('auth.') ? `/auth/${name.slice(5)}` : `/ui/${kind}/${name}`;
    return this.ask('POST', path, { node, layout: await this.hashOf(layout), ...sent });
  }
}
