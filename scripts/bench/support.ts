import { sql } from 'kysely';
import { limitAccount } from '../../test/fixtures/limit-account.ts';
import type { StartedSandbox } from '../../test/fixtures/sandbox.ts';
import type { Measure } from './report.ts';
import { benchSandbox } from './sandbox.ts';

const owner = 'large@bigreseller.test';
/** An engineer limited to 200 customers, by ticks, and one who sees own tickets alone. */
const [limited, ownOnly] = ['support7@bigreseller.test', 'support8@bigreseller.test'];
const [tickets, articles] = [50_000, 500];
const [firstTicket, longThread] = [1_000_000, 1_000_010];

const all = '/api/support/SelectSupportAllRecordsByReseller';
const active = '/api/support/SelectSupportActiveRecordsByReseller';
const ticketQuestions: Readonly<Record<string, string>> = {
  'all, page 1': `${all}?page=1&pageSize=25`,
  'all, page 1,000': `${all}?page=1000&pageSize=25`,
  'all, by priority': `${all}?page=1&pageSize=25&sort=-Priority`,
  'all, by subject': `${all}?page=20&pageSize=25&sort=Subject`,
  'all, by day of opening': `${all}?page=20&pageSize=25&sort=Created`,
  'all, closed and urgent': `${all}?page=1&pageSize=25&status=Closed&priority=Urgent`,
  'all, one customer': `${all}?page=1&pageSize=25&customerId=1000007`,
  'all, a word of a few': `${all}?page=1&pageSize=25&search=number+4321`,
  'all, a word of every second': `${all}?page=1&pageSize=25&search=delayed`,
  'all, a word of every second, closed': `${all}?page=100&pageSize=25&search=delayed&status=Closed`,
  'all, a word of none': `${all}?page=1&pageSize=25&search=nowhere`,
  'all, a customer': `${all}?page=1&pageSize=25&search=bright`,
  'all, one letter': `${all}?page=1&pageSize=25&search=e`,
  'all, two letters': `${all}?page=1&pageSize=25&search=ma`,
  'all, two letters of a few': `${all}?page=1&pageSize=25&search=43`,
  'all, a letter of none': `${all}?page=1&pageSize=25&search=%C3%9E`,
  'active, page 1': `${active}?page=1&pageSize=25`,
  'active, page 500': `${active}?page=500&pageSize=25`,
  'active, waiting': `${active}?page=1&pageSize=25&status=Waiting`,
  'active, a word of every second': `${active}?page=1&pageSize=25&search=delayed`,
  'a ticket': `/api/support/GetDetailTicket/${firstTicket + 25_000}`,
  'a thread of 1,000': `/api/support/GetDetailHistorySupportTicket/${longThread}`,
  'files of a ticket': `/api/support/GetSupportAttachments/${longThread}`,
};
const otherQuestions: Readonly<Record<string, string>> = {
  'organisations, page 1': '/api/support/GetOrgsSupport?page=1&pageSize=25',
  'organisations, a word': '/api/support/GetOrgsSupport?page=1&pageSize=25&search=bright',
  'organisations, one letter': '/api/support/GetOrgsSupport?page=1&pageSize=25&search=b',
  'users of one': '/api/support/GetAdUsersSupport?page=1&pageSize=25&organisationId=1000007',
  'products of one': '/api/support/GetProductsSupport?organisationId=1000007',
};
const articleQuestions: Readonly<Record<string, string>> = {
  'page 1': 'articles?page=1&pageSize=25',
  'a word': 'search?term=mailbox&page=1&pageSize=25',
  'a word of a few': 'search?term=subject+431&page=1&pageSize=25',
  'a misspelt word': 'search?term=mailbxo&page=1&pageSize=25',
  popular: 'popular?page=1&pageSize=25',
  categories: 'categories',
};

/** Adds tickets of the large reseller with a few messages each, and one with a thousand messages and as many files. */
async function addTickets({ db }: StartedSandbox): Promise<void> {
  await sql`
    with given as (
      select a.id, a.reseller_id, a.display_name, g.n, c.id as customer_id,
        now() - g.n * interval '20 minutes' as at,
        case when g.n % 10 < 6 then 'Closed' else (array['Open', 'Waiting', 'Answered', 'Open'])[1 + g.n % 4] end as status
      from generate_series(0, ${tickets - 1}::int) g (n) join accounts a on a.username = ${owner}
        join customers c on c.reseller_id = a.reseller_id and c.organisation_id = 1000000 + g.n % 500
    )
    insert into tickets (id, reseller_id, customer_id, account_id, author, product, subject, priority, status, created,
      updated, closed)
    overriding system value
    select ${firstTicket}::int + n, reseller_id, customer_id, id, display_name, 'Hosted mail',
      (array['Mail is delayed', 'A licence is missing'])[1 + n % 2] || ', number ' || n,
      (array['Low', 'Normal', 'High', 'Urgent'])[1 + n / 4 % 4], status, at - interval '1 day', at,
      case when status = 'Closed' then at end
    from given`.execute(db);
  await sql`
    insert into ticket_messages (ticket_id, at, account_id, author, kind, content)
    select t.id, t.created, t.account_id, t.author, case m when 1 then 'Opened' else 'Reply' end, repeat('What happened. ', 20)
    from tickets t, generate_series(1, case t.id when ${longThread} then 1000 else 4 end) m
    where t.id >= ${firstTicket}`.execute(db);
  await sql`
    insert into ticket_files (account_id, author, ticket_id, message_id, name, type, bytes, is_whole, sent)
    select account_id, author, ticket_id, id, 'picture.png', 'image/png', 1000, true, at
    from ticket_messages where ticket_id = ${longThread}`.execute(db);
}

/** Adds an engineer who sees 200 of the 500 customers with tickets, and one without the right to others' tickets. */
async function addEngineers({ db }: StartedSandbox): Promise<void> {
  const without = { [limited]: '', [ownOnly]: 'submitAndRespondToAllTickets' };
  for (const [username, right] of Object.entries(without))
    await sql`
      with made as (
        insert into accounts (username, email, display_name, user_type, password_hash, reseller_id)
        select ${username}, ${username}, 'Engineer', 'admin', password_hash, reseller_id
        from accounts where username = ${owner} returning id)
      insert into account_permissions (account_id, views, permissions)
      select made.id, p.views, array_remove(p.permissions, ${right})
      from made, account_permissions p join accounts a on a.id = p.account_id where a.username = ${owner}`.execute(db);
  await sql`update tickets set account_id = (select id from accounts where username = ${ownOnly})
    where id >= ${firstTicket} and id % 10 = 0`.execute(db);
  await limitAccount(
    db,
    limited,
    Array.from({ length: 200 }, (_, index) => 1_000_000 + 2 * index),
  );
}

/** Adds articles with the texts of those that are there, up to 500. */
async function addArticles({ db }: StartedSandbox): Promise<void> {
  await sql`
    with numbered as (select *, row_number() over (order by id) as row, count(*) over () as rows from kb_articles),
      wanted as (select generate_series(1, ${articles}::int - (select count(*)::int from kb_articles)) as n)
    insert into kb_articles (path, category, title, title_key, summary, content, plain, screens, codes, rights, sides,
      updated, words)
    select a.category || '/bench-' || n, a.category, a.title || ', subject ' || n,
      lower(unaccent(a.title || ', subject ' || n)), a.summary, a.content, a.plain, '{}', '{}', a.rights, a.sides,
      a.updated, a.words || setweight(to_tsvector('english', 'subject ' || n), 'A')
    from wanted join numbered a on a.row = 1 + n % a.rows`.execute(db);
}

async function prepare(sandbox: StartedSandbox): Promise<void> {
  await addTickets(sandbox);
  await addEngineers(sandbox);
  await addArticles(sandbox);
  // As the database does by itself, a while after so many rows have come.
  await sql`vacuum analyze`.execute(sandbox.db);
}

/** Measures how fast the sandbox answers for 50,000 tickets and 500 articles of one reseller. */
export function benchSupport(): Promise<Measure[]> {
  const asked = (of: string, questions: Readonly<Record<string, string>>, as = owner) =>
    Object.entries(questions).map(([what, path]) => ({ what: `${of}: ${what}`, path, as }));
  const articlePaths = Object.fromEntries(
    Object.entries(articleQuestions).map(([what, path]) => [what, `/api/knowledge-base/${path}`]),
  );
  return benchSandbox({ seed: 'large', account: owner, limit: 50, prepare }, [
    ...asked(`${tickets} tickets`, { ...ticketQuestions, ...otherQuestions }),
    ...asked('own tickets alone', ticketQuestions, ownOnly),
    ...asked('200 customers', ticketQuestions, limited),
    ...asked(`${articles} articles`, articlePaths),
  ]);
}
