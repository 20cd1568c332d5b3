/** What is bought once is paid once: it was offered with monthly billing. */
export const paidOnce = `
update products set offer = jsonb_set(offer, '{Billing}', '[{"Id": "once", "Name": "Once, with the order"}]')
where offer -> 'Terms' @> '[{"Id": "once"}]';
`;
