import { dayMilliseconds, type SeedContext, type SeedCustomer } from './context.ts';
import { allStaff, firstNames, groups as groupNames, jobTitles, lastNames } from './names.ts';

type Person = { first: string; last: string; email: string; notes?: string };

/** The two of Contoso that have known names. */
const known: Readonly<Record<string, readonly Person[]>> = {
  Contoso: [
    { first: 'Ada', last: 'Whitfield', email: 'admin@contoso.test' },
    { first: 'Una', last: 'Marsh', email: 'user@contoso.test', notes: 'Prefers to be called before noon.' },
  ],
};

/** Mailboxes of named users, who are put in later: there is a licence for each from the start. */
const comingLater: Readonly<Record<string, number>> = { Contoso: 1 };

const perUser: Readonly<Record<string, string>> = {
  'Email Security': 'Standard filter',
  'Cloud Backup': 'Last backup this morning',
  'Endpoint Security': '1 device',
  'Phishing Protection': 'On',
  'Mail Archive': 'Kept for 7 years',
};

type Made = { readonly created: Date | string };

const later = (one: Made, other: Made): Date =>
  new Date(Math.max(Number(new Date(one.created)), Number(new Date(other.created))));

/** Makes the users of a seeded customer and their services; with Hosted Exchange most of them have a mailbox. */
export function makePeople(
  context: SeedContext,
  customer: SeedCustomer['customer'],
  instances: SeedCustomer['instances'],
): Pick<SeedCustomer, 'users' | 'groups' | 'userServices' | 'mailboxes'> {
  const { random, now } = context;
  const users: SeedCustomer['users'] = [];
  const groups: SeedCustomer['groups'] = [];
  const userServices: SeedCustomer['userServices'] = [];
  const mailboxes: SeedCustomer['mailboxes'] = [];
  const exchange = instances.find(instance => instance.name === 'Hosted Exchange');
  const lived = now.getTime() - (customer.created as Date).getTime();
  for (const [index, person] of choosePeople(context, customer).entries()) {
    const isKnown = index < (known[customer.name]?.length ?? 0);
    const hasMailbox = exchange !== undefined && (isKnown || random.chance(0.85));
    const quota = random.pick([25_600, 51_200]);
    const used = random.between(200, quota - 500);
    const { named, ...user } = {
      id: context.nextUser++,
      customer_id: customer.id,
      first_name: person.first,
      last_name: person.last,
      display_name: `${person.first} ${person.last}`,
      email: person.email,
      phone: `${customer.phone?.slice(0, 8)}${random.between(100, 999)}`,
      job_title: index === 0 ? 'IT coordinator' : random.pick(jobTitles),
      type: index === 0 ? ('endUserAdmin' as const) : ('endUser' as const),
      status: !isKnown && random.chance(0.05) ? ('Suspended' as const) : ('Active' as const),
      named: [allStaff, ...(random.chance(0.4) ? [random.pick(groupNames.slice(1))] : [])],
      notes: random.chance(0.1) ? 'Asks for a summary by e-mail.' : (person.notes ?? ''),
      last_sign_in: random.chance(0.8) ? new Date(now.getTime() - random.next() * 30 * dayMilliseconds) : null,
      created: new Date(now.getTime() - lived * random.next()),
    };
    users.push(user);
    groups.push(...named.map(name => ({ user_id: user.id, name })));
    if (exchange && hasMailbox) {
      mailboxes.push({
        customer_id: customer.id,
        user_id: user.id,
        quota_mb: quota,
        used_mb: used,
        created: user.created,
      });
      userServices.push({ user_id: user.id, instance_id: exchange.id, detail: '', since: later(exchange, user) });
    }
    for (const { id, name, status, quantity, created } of instances) {
      const detail = status === 'Active' ? perUser[name] : undefined;
      const isChosen = detail !== undefined && (isKnown || random.chance(0.7));
      const holders = userServices.filter(({ instance_id }) => instance_id === id).length;
      // As many as were bought, and no more.
      if (isChosen && holders < quantity) {
        userServices.push({ user_id: user.id, instance_id: id, detail, since: later({ created }, user) });
      }
    }
  }
  const admin = users[0];
  if (admin) customer.contact_name = admin.display_name;
  if (exchange) {
    const licensed = userServices.filter(({ instance_id }) => instance_id === exchange.id).length;
    exchange.quantity = licensed + (comingLater[customer.name] ?? 0);
  }
  return { users, groups, userServices, mailboxes };
}

function choosePeople({ random }: SeedContext, { name, domain }: SeedCustomer['customer']): Person[] {
  const people = new Map<string, Person>(known[name]?.map(person => [person.email, person]));
  const count = name === 'Contoso' ? 24 : random.between(3, 26);
  while (people.size < count) {
    const first = random.pick(firstNames);
    const last = random.pick(lastNames);
    const email = `${first}.${last}@${domain}`.toLowerCase();
    people.set(email, { first, last, email });
  }
  return [...people.values()];
}
