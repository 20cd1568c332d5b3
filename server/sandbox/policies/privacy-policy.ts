import type { Policy } from './policy.ts';

export const privacy: Policy = {
  id: 'privacy',
  title: 'Privacy and cookies policy',
  parts: [
    [
      'Who we are',
      'Fernhill Cloud Ltd (“Fernhill”, “we”) runs this portal, on which resellers, their customers and the users of these customers buy and manage cloud services. For what this policy describes we are the controller of your personal data.',
      'You reach the person who looks after data protection at privacy@fernhill.test, or by post at Fernhill Cloud Ltd, 12 Quayside Yard, Bristol BS1 4QA.',
    ],
    [
      'What we hold about you',
      'We hold what we need to give you an account and to run the services that are ordered through it:',
      [
        'your name, business email address, phone number and job title',
        'the organisation that you work for and your role in this portal',
        'when you signed in, from which network address, and what you changed',
        'what you write to our support team, and what they answer',
        'orders, invoices and payments, without card numbers',
      ],
      'We do not hold the content of your mailboxes, files or backups for purposes of our own. Where we process it for your organisation, the data protection statement says how.',
    ],
    [
      'Where it comes from',
      'Most of it comes from you, or from the colleague or reseller who opened your account. Sign-in records are made by the portal itself.',
      { sub: 'We do not buy lists of contacts.' },
    ],
    [
      'Why we use it',
      'We use personal data only for these purposes:',
      [
        'to provide the services and this portal (performance of a contract)',
        'to keep accounts safe: sign-in records, one-time codes, lock-outs (legitimate interest)',
        'to send invoices and keep accounts as the law asks (legal obligation)',
        'to tell you of maintenance, faults and changes of a service (performance of a contract)',
        'to tell you of new products, unless you have opted out (legitimate interest)',
      ],
    ],
    [
      'Your choices',
      'Messages that a service needs, such as invoices and notices of maintenance, always reach you. Of everything else you decide here:',
      'custom',
    ],
    [
      'Cookies',
      'The portal sets only cookies that it cannot work without. None of them follows you elsewhere, and no third party sets any.',
      [
        '__Host-portal names your session; it is deleted when you sign out or close the browser',
        '__Host-portal-stage names a sign-in that waits for its code; it lasts ten minutes at most',
      ],
      'Your browser also remembers the light or dark theme and what you have typed into a form that you did not finish. Both stay on your device.',
    ],
    [
      'Who sees it',
      'Within Fernhill only those who need it for their work. Outside of it:',
      [
        'the reseller who looks after your organisation, and your organisation’s own administrators',
        'the vendors of the services that are ordered for you, as far as they need it to provide them',
        'our hosting company in the United Kingdom and our payment provider',
        'authorities, where the law obliges us',
      ],
    ],
    [
      'Transfers abroad',
      'We keep personal data in the United Kingdom. Where a vendor provides a service from another country, the transfer rests on an adequacy decision or on the International Data Transfer Agreement.',
    ],
    [
      'How long we keep it',
      'Accounts are kept for as long as they are used and for 90 days afterwards. Sign-in records are kept for 12 months, support cases for 3 years and accounting records for 6 years.',
    ],
    [
      'How we protect it',
      'Connections are encrypted. Passwords are stored only as salted hashes. Access of our staff is granted by role, recorded and reviewed every quarter.',
      'Should something go wrong with your data we tell you, and the authority, within the time that the law sets.',
    ],
    [
      'Your rights',
      'You may ask us at any time',
      [
        'for a copy of what we hold about you',
        'to correct it',
        'to delete it, or to use it less',
        'to hand it over in a form that a machine can read',
        'to stop using it where we rely on a legitimate interest',
      ],
      'We answer within one month, free of charge. You may also complain to the Information Commissioner’s Office.',
    ],
    [
      'Changes of this policy',
      'We change this policy when what we do changes. Of a change that matters to you we tell you in the portal four weeks before it takes effect.',
    ],
  ],
};
