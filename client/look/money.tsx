import { Fragment } from 'react';

const amount = /^(.*\d)([.,]\d{2})(\D*)$/su;

/** The whole and the pence of a written amount, the pence quieter; what is no such amount stays as it is. */
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

/** An amount in a line of text or a cell; tables have many, so that its parts are no component here. */
export function Money({ text }: { readonly text: string }) {
  return <span className="money">{Pence({ text })}</span>;
}
