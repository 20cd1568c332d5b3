import { Fragment } from 'react';

const amount = /^(.*\d)([.,]\d{2})(\D*)$/su;

/** A formatted amount with its decimals in a quieter style; a text that is no amount is shown as it is. */
export function Pence({ text }: { readonly text: string }) {
  const parts = amount.exec(text);
  if (!parts) return <Fragment>{text}</Fragment>;
  return (
    <Fragment>
      {parts[1]}
      <small>{parts[2]}</small>
      {parts[3]}
    </Fragment>
  );
}

/** A formatted amount in a line of text or a table's cell, its decimals quieter (see `Pence`). */
export function Money({ text }: { readonly text: string }) {
  return <span className="money">{Pence({ text })}</span>;
}
