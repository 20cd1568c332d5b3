import { createSandbox, type Sandbox } from './app.ts';
import { readConfig } from './config.ts';

let sandbox: Sandbox | undefined;

/** The process of the sandbox cloud: a child of the portal, which hears its address, or by itself. */
async function start(): Promise<void> {
  process.once('SIGTERM', stop);
  process.once('disconnect', stop);
  // Ctrl-C reaches the whole group of processes; a parent decides what becomes of its child.
  process.on('SIGINT', () => process.connected || stop());
  const config = readConfig(process.env);
  sandbox = await createSandbox(config);
  const url = await sandbox.listen(config);
  process.send?.({ type: 'ready', url, providerUrl: sandbox.cardProviderUrl() });
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
