import type { Policy } from './policy.ts';

export const dataProtection: Policy = {
  id: 'data-protection',
  title: 'Data protection statement',
  parts: [
    [
      'About this statement',
      'This statement says how Fernhill Cloud Ltd processes personal data on behalf of its resellers and their customers, when they use hosted email, backup, voice, security and other services that are ordered through this portal.',
      'It is part of the agreement for each service. Words such as controller, processor and personal data have the meaning that the UK GDPR gives them.',
    ],
    [
      'Roles',
      'The customer is the controller of what it stores in a service. The reseller and Fernhill are its processors; the vendor of a service is a sub-processor.',
      'Where Fernhill decides itself, as with the accounts of this portal, the privacy and cookies policy applies instead.',
    ],
    [
      'Instructions',
      'We process personal data only on documented instructions. Orders and settings made in this portal are such instructions, as are requests to our support team.',
      'If we believe that an instruction breaks the law we say so, and may wait until it is confirmed.',
    ],
    [
      'What is processed',
      'Which data is processed depends on the services ordered:',
      [
        'Hosted email and archive: mailboxes, calendars, contacts and the messages in them',
        'Email security: messages on their way, and those held in quarantine for 30 days',
        'Backup: whatever the customer chooses to back up, encrypted before it leaves the device',
        'Hosted voice: numbers, call records and, where ordered, recordings',
        'Endpoint security: names of devices and of files that were found to be dangerous',
      ],
      {
        sub: 'We do not look at content, except where a support case that you have opened cannot be solved otherwise.',
      },
    ],
    ['People concerned', 'Employees and other users of the customer, and whoever they correspond with.'],
    [
      'Confidentiality',
      'Everyone at Fernhill who has access to personal data is bound to confidentiality by contract, and trained each year.',
    ],
    [
      'Security measures',
      'We keep an information security management system. Among its measures are:',
      [
        'encryption of data on its way and, where the service allows it, at rest',
        'a second factor for every access of our staff',
        'separate networks for production, tests and offices',
        'daily backups, restored in a test every quarter',
        'an external penetration test every year',
      ],
      'Measures may change, but the level of protection does not fall.',
    ],
    [
      'Sub-processors',
      'A list of the vendors and hosting companies that process personal data for us is given to every customer on request.',
      'We announce a new one 30 days ahead. A customer with good reason may object, and may end the service concerned if we find no other way.',
    ],
    [
      'Transfers',
      'Data stays in the region that is named in the description of the service. A transfer out of the United Kingdom takes place only under an adequacy decision or the International Data Transfer Agreement.',
    ],
    [
      'Requests of people concerned',
      'Who asks us about data that we process for a customer is sent on to that customer. We help it to answer: with exports, corrections and deletions.',
    ],
    [
      'Breaches',
      'We tell the customer of a personal data breach without delay, and within 24 hours of finding it at the latest:',
      [
        'what happened, and when',
        'which data and how many people are concerned',
        'what we have done and what we advise',
        'who answers questions',
      ],
    ],
    [
      'Assessments',
      'We help with data protection impact assessments and with questions of an authority, as far as they are about our services.',
    ],
    [
      'Return and deletion',
      'When a service ends, its data can be exported for 30 days. It is then deleted, and from backups within 90 days more, unless the law obliges us to keep it.',
    ],
    [
      'Audits',
      'On request we give our current certificates and the summary of the last penetration test. Where these do not suffice a customer may audit us once a year, with 30 days’ notice and during office hours.',
    ],
    [
      'Liability',
      'Liability follows the agreement of the service. Nothing in it limits the rights of the people concerned.',
    ],
    ['Contact', 'Questions about this statement reach us at privacy@fernhill.test.'],
  ],
};
