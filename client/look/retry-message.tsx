import { Icon } from './icon.tsx';

type TroubleProps = { readonly text: string; readonly retry: string; run(): void };

/** The message in place of data that could not be read, with a button to try again. */
export function Trouble({ text, retry, run }: TroubleProps) {
  return (
    <div className="trouble" role="status">
      <Icon name="alert" />
      <span>{text}</span>
      <button className="button button--small" type="button" data-testid="retry" onClick={run}>
        <Icon name="refresh" />
        <span className="button__text">{retry}</span>
      </button>
    </div>
  );
}
