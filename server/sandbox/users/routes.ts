import { either, oneself, view } from '../auth/needs.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { created, done, replies, succeed } from '../http/reply.ts';
import { type App, id, object, pageQuery, params, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { listUsers, readUser, type UserSort, userSorts } from './read.ts';
import { newUser, userChange, userDetails, userList } from './shapes.ts';
import { changeUser, createUser, deleteUser, setUserSuspended } from './write.ts';

const columns = Object.keys(userSorts) as UserSort[];
const listQuery = pageQuery(
  {
    sort: { enum: columns.flatMap(name => [name, `-${name}`] as const), default: 'DisplayName' },
    search: { ...text(200), default: '' },
    status: { enum: ['Active', 'Suspended'] },
  },
  1000,
);
const tags = ['users'];
const path = '/api/customers/:customerId/users';
const onePath = `${path}/:userId` as const;
const oneUser = params('customerId', 'userId');
const writes = { needs: view('customerUsers') };

/** The users of a customer. An end user reaches only the own one. */
export function addUserRoutes(app: App, { db, now }: Parts): void {
  app.get(
    path,
    {
      config: { needs: view('customers') },
      schema: { tags, params: params('customerId'), querystring: listQuery, response: replies(userList) },
    },
    async ({ signedIn, params: { customerId }, query }) => succeed(await listUsers(db, signedIn, customerId, query)),
  );

  app.post(
    path,
    {
      config: writes,
      schema: {
        tags,
        params: params('customerId'),
        headers: idempotencyKey,
        body: newUser,
        response: created(object({ userId: id })),
      },
    },
    async (request, reply) => {
      reply.code(201);
      return await once(db, request, async trx => {
        const { signedIn, params: at, body } = request;
        return succeed(await createUser(trx, signedIn, at.customerId, body, now()));
      });
    },
  );

  app.get(
    onePath,
    {
      config: { needs: either(view('customers'), oneself) },
      schema: { tags, params: oneUser, response: replies(userDetails) },
    },
    async ({ signedIn, params: at }) => succeed(await readUser(db, signedIn, at.customerId, at.userId)),
  );

  app.put(
    onePath,
    {
      config: { needs: either(view('customerUsers'), oneself) },
      schema: { tags, params: oneUser, body: userChange, response: replies() },
    },
    async ({ signedIn, params: at, body }) => {
      await changeUser(db, signedIn, at.customerId, at.userId, body, now());
      return done('The user was saved.');
    },
  );

  for (const [verb, suspended] of [
    ['suspend', true],
    ['reactivate', false],
  ] as const) {
    app.post(
      `${onePath}/${verb}`,
      { config: writes, schema: { tags, params: oneUser, headers: idempotencyKey, response: replies() } },
      async request =>
        await once(db, request, async trx => {
          const { customerId, userId } = request.params;
          await setUserSuspended(trx, request.signedIn, customerId, userId, suspended, now());
          return done(suspended ? 'The user was suspended.' : 'The user was reactivated.');
        }),
    );
  }

  app.delete(
    onePath,
    { config: writes, schema: { tags, params: oneUser, headers: idempotencyKey, response: replies() } },
    async request =>
      await once(db, request, async trx => {
        const { customerId, userId } = request.params;
        await deleteUser(trx, request.signedIn, customerId, userId, now());
        return done('The user was deleted.');
      }),
  );
}
