/** Whether mail of a domain arrives is known of the domain (`organisation_domains`), and not of each address. */
export const delayedDomains = 'alter table mail_addresses drop column delayed_domain;';
