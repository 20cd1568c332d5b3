import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { sql } from 'kysely';
import { freshDatabase } from '../fixtures/postgres.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';
import { inTime } from '../fixtures/wait.ts';

const server = process.env.TEST_DATABASE_URL;
let drop: () => Promise<void>;
let one: StartedSandbox;
let other: StartedSandbox;

/** Several processes on one database is what only PostgreSQL can do. */
if (server !== undefined) {
  before(async () => {
    const database = await freshDatabase(server);
    drop = database.drop;
    const storage = { databaseUrl: database.url };
    [one, other] = await Promise.all([startSandbox({ storage }), startSandbox({ storage })]);
  });
  after(async () => {
    await one.close();
    await other.close();
    await drop();
  });

  test('two that start together on an empty database fill it once', async () => {
    const token = await one.signIn('reseller@northwind.test');
    assert.equal((await one.call(token, 'GET', '/api/dashboard/summary')).body.Result.Customers, 40);
  });

  test('a token of one opens the other', async () => {
    const token = await one.signIn('reseller@northwind.test');
    const headers = { 'actor-id': 'reseller@northwind.test' };
    assert.equal((await other.call(token, 'GET', '/api/customers', undefined, headers)).status, 200);
  });

  test('a hint reaches the hub of the other process, also after its listener was cut off', async () => {
    const token = await other.signIn('reseller@northwind.test');
    const { url, accessToken } = (await other.call(token, 'GET', '/api/notifications/negotiate')).body.Result;
    const transport = HttpTransportType.WebSockets;
    const connection = new HubConnectionBuilder()
      .withUrl(url, { skipNegotiation: true, transport, accessTokenFactory: () => accessToken })
      .configureLogging(LogLevel.None)
      .build();
    let hear = (_hint: unknown) => {};
    connection.on('SendMessage', hint => hear(hint));
    await connection.start();
    const writer = await one.signIn('reseller@northwind.test');
    const hint = async () => {
      const heard = new Promise(resolve => {
        hear = resolve;
      });
      const timer = setInterval(() => void one.call(writer, 'POST', '/api/notifications/read-all'), 200);
      return await inTime('A hint', heard).finally(() => clearInterval(timer));
    };
    assert.deepEqual(await hint(), { kind: 'notification' });
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%' and pid <> pg_backend_pid()`.execute(one.db);
    assert.deepEqual(await hint(), { kind: 'notification' });
    await connection.stop();
  });

  test('two tickers end each change once', async () => {
    await sql`update jobs set due = now() where state = 'running'`.execute(one.db);
    await Promise.all([one.tickOnce(), other.tickOnce()]);
    const { rows } = await sql`
      select customer_id, target, action, count(*) from activity
      where actor_type = 'system' group by 1, 2, 3 having count(*) > 1`.execute(one.db);
    assert.deepEqual(rows, []);
  });
}
