import { pino } from 'pino';
import { createSandbox, type Sandbox } from './app.ts';
import { readConfig } from './config.ts';
import { createProgress } from './progress.ts';

let sandbox: Sandbox | undefined;

/** The process of the sandbox cloud: a child of the portal, which hears its address, or by itself. */
async function start(): Promise<void> {
  process.once('SIGTERM', stop);
  process.once('disconnect', stop);
  // Ctrl-C reaches the whole group of processes; a parent decides what becomes of its child.
  process.on('SIGINT', () => process.connected || stop());
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel ?? 'info' });
  const progress = createProgress(line => log.info(line, 'the sandbox cloud is starting'));
  sandbox = await createSandbox({ ...config, onProgress: part => progress.tell(`filling in: ${part}`) });
  progress.stop();
  const url = await sandbox.listen(config);
  process.send?.({ type: 'ready', url, providerUrl: sandbox.cardProviderUrl(), chatUrl: sandbox.liveChatUrl() });
}

/** Before it is open there is nothing to close that the next start would not put right. */
function stop(): void {
  const closed = sandbox?.close() ?? Promise.resolve();
  void closed.finally(() => process.exit());
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
