import type { Policy } from './policy.ts';

/** In the order of the footer (document 1, section 2.6). */
export const companyPolicies: readonly Policy[] = [
  {
    id: 'terms',
    title: 'Terms and conditions',
    parts: [
      [
        'Who may use the portal',
        'The portal is for businesses: for resellers with an agreement with Fernhill Cloud Ltd, for their customers, and for the users whom these name. It is not for consumers.',
      ],
      [
        'Your account',
        'An account belongs to one person. Keep your password to yourself, and tell us at once if you believe that somebody else knows it.',
        'We may suspend an account that is used against these terms, and say why.',
      ],
      [
        'Orders',
        'An order placed in the portal binds the organisation in whose name it is placed. It is accepted when the service is active or when we confirm it, whichever is first.',
        'Each service has a service agreement of its own. Where it says something else than these terms, it goes before them.',
      ],
      [
        'Prices and payment',
        'Prices are per month without VAT unless it says otherwise. Invoices are due within 30 days.',
      ],
      [
        'Fair use',
        'You may not use a service to',
        ['send unsolicited mail', 'spread malicious software', 'infringe the rights of others', 'overload or probe it'],
      ],
      ['Liability', 'We are liable as the law says, and for no more than the fees of the last twelve months.'],
      ['Law', 'The law of England and Wales applies, and its courts decide.'],
    ],
  },
  {
    id: 'company',
    title: 'Company details',
    parts: [
      [
        'Registered company',
        'Fernhill Cloud Ltd is registered in England and Wales under number 00000417. VAT registration GB 000 4170 17.',
        'Registered office: 12 Quayside Yard, Bristol BS1 4QA.',
      ],
      ['Contact', 'Telephone 0117 496 0200, Monday to Friday from 8 am to 6 pm. Email hello@fernhill.test.'],
    ],
  },
  {
    id: 'social',
    title: 'Social media',
    parts: [
      [
        'Where we write',
        'News of products, maintenance and events stand on our pages at LinkedIn, Mastodon and YouTube, each under the name “Fernhill Cloud”.',
      ],
      [
        'What we ask of you there',
        'Please write nothing about customers or faults that would help somebody to attack them. We do not answer support questions there: open a ticket, which only you and we can read.',
      ],
    ],
  },
  {
    id: 'codes-of-practice',
    title: 'Codes of practice',
    parts: [
      [
        'Complaints',
        'Tell us first: complaints@fernhill.test, or 0117 496 0204. We answer within two working days and settle most complaints within ten.',
        'If we have not settled it within eight weeks, you may turn to the Communications Ombudsman, free of charge.',
      ],
      [
        'Numbers and emergency calls',
        'Hosted voice can call 999 and 112. It needs power and an internet connection; keep another way to call for help. Keep the address of each number up to date in the portal.',
      ],
      [
        'Changing provider',
        'You may take your numbers with you. Moving a single number takes one working day as a rule.',
      ],
    ],
  },
  {
    id: 'tax-strategy',
    title: 'Tax strategy',
    parts: [
      [
        'Our approach',
        'Fernhill pays the tax that is due, where it is due and when it is due. This strategy is published under paragraph 16(2) of Schedule 19 to the Finance Act 2016 for the year ending 31 March.',
      ],
      ['Risk', 'The finance director answers for tax to the board. Doubtful questions are put to external advisers.'],
      ['Planning', 'We use reliefs as Parliament meant them, and take part in no artificial arrangements.'],
      ['HMRC', 'We deal with HM Revenue & Customs openly, and tell them of mistakes without being asked.'],
    ],
  },
  {
    id: 'slavery-statement',
    title: 'Modern slavery statement',
    parts: [
      [
        'Our business',
        'Fernhill employs 180 people in Bristol and Leeds, and buys software, data centre space, hardware and cleaning from 240 suppliers. This statement is made under section 54 of the Modern Slavery Act 2015.',
      ],
      [
        'What we do',
        'We have found the greatest risk in hardware and in cleaning, and',
        [
          'ask every new supplier how it treats those who work for it',
          'visit the ten largest each year',
          'pay at least the real Living Wage to all who work in our offices',
          'train buyers and managers each year',
        ],
      ],
      ['Saying something', 'Anyone may report a concern to speakup@fernhill.test, by name or without.'],
    ],
  },
  {
    id: 'copyright',
    title: 'Copyright',
    parts: [
      [
        'Our content',
        '© Fernhill Cloud Ltd. Texts, pictures and the design of this portal are ours or used with permission. Resellers may use descriptions of products to sell these products.',
      ],
      [
        'Marks of others',
        'Names and marks of vendors belong to these. That they stand here does not mean that they recommend us.',
      ],
      ['Reporting', 'If you believe that something here infringes your rights, write to legal@fernhill.test.'],
    ],
  },
  {
    id: 'accessibility',
    title: 'Accessibility statement',
    parts: [
      [
        'How accessible the portal is',
        'We want everyone to be able to use this portal, and build it to the Web Content Accessibility Guidelines 2.2 at level AA. You should be able to',
        [
          'enlarge text to 200 % without it running off the page',
          'do everything with the keyboard alone',
          'use a screen reader for all of it',
          'choose a light or a dark theme, and less motion',
        ],
      ],
      [
        'What is not',
        'Documents of vendors, such as their price lists, are not always accessible. Ask us for another form.',
      ],
      ['Telling us', 'Write to accessibility@fernhill.test. We answer within five working days.'],
    ],
  },
  {
    id: 'legal',
    title: 'Legal',
    parts: [
      [
        'About this portal',
        'We take care that what stands here is right, but give no warranty that it always is. What binds us is the agreement with you.',
      ],
      ['Links', 'Links to other sites are there for convenience. What stands there is the business of their owners.'],
      [
        'Security',
        'If you find a weakness, tell security@fernhill.test. Who looks in good faith has nothing to fear from us.',
      ],
    ],
  },
  {
    id: 'trading-entities',
    title: 'Trading entities',
    parts: [
      [
        'The companies',
        'These companies trade under the name Fernhill:',
        [
          'Fernhill Cloud Ltd, Bristol: cloud services and this portal',
          'Fernhill Communications Ltd, Bristol: lines, calls and hosted voice',
          'Fernhill Distribution Ltd, Leeds: hardware and licences',
          'Fernhill Cloud Europe B.V., Utrecht: services invoiced in euros',
        ],
      ],
      ['Which is yours', 'The company that you have an agreement with stands on every invoice.'],
    ],
  },
];
