import type { ReactNode } from 'react';
import type { NavigationLayout } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { fillAddress } from '../../shared/rules/path.ts';
import { A } from '../runtime/effects/navigation.tsx';
import { usePortal } from '../runtime/state/portal.ts';
import type { Scope } from '../runtime/state/scope.ts';
import { useWord } from '../runtime/state/values.ts';
import { plain } from './entries.ts';
import { usePress } from './press.ts';

type FooterProps = { readonly layout: NavigationLayout; readonly scope: Scope };

/** The footer of the page: legal links and the copyright; draws nothing without either. */
export function Footer({ layout, scope }: FooterProps): ReactNode {
  const newTab = useWord('link.newTab');
  const press = usePress(scope);
  const { look } = usePortal().boot.principal;
  const copyright = look ? (look.footer ?? look.name) : plain(layout.copyright);
  const entries = layout.footer?.filter(({ when }) => isMet(when, scope)) ?? [];
  if (entries.length === 0 && copyright === '') return null;
  return (
    <footer className="footer">
      {entries.length > 0 && (
        <ul>
          {entries.map((entry, index) => {
            const href = entry.to && fillAddress(entry.to, scope);
            const text = plain(entry.text);
            const id = { 'data-testid': entry.testId };
            return (
              <li key={entry.id ?? index}>
                {entry.external ? (
                  <a {...id} href={entry.external} target="_blank" rel="noopener noreferrer">
                    {text} <span className="visually-hidden">{newTab}</span>
                  </a>
                ) : href ? (
                  <A {...id} href={href}>
                    {text}
                  </A>
                ) : (
                  <button {...id} type="button" onClick={() => press(entry.on?.press ?? [], entry.id)}>
                    {text}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {copyright && <span className="footer__end">{copyright}</span>}
    </footer>
  );
}
