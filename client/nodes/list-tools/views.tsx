import { type ReactNode, useState } from 'react';
import type { TableNode } from '../../../shared/language/types.ts';
import { Icon } from '../../look/icon.tsx';
import { MenuButton } from '../../look/menu-button.tsx';
import type { MenuEntry } from '../../look/menu-panel.tsx';
import { partId } from '../../look/part-id.ts';
import { showCopied } from '../../runtime/effects/copied.ts';
import { toast } from '../../runtime/effects/toasts.tsx';
import { lazyComponent } from '../../runtime/state/lazy-component.tsx';
import { usePortalObject } from '../../runtime/state/portal.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import { loadTableWork } from '../table/lazy-work.ts';
import { type SavedView, useViews } from './saved-views.ts';

const SaveView = lazyComponent(async () => (await loadTableWork()).SaveView);

/** The menu of the views of a table that the user has saved by name; here they are saved, linked to and deleted. */
export function Views({ node }: { readonly node: TableNode }): ReactNode {
  const portal = usePortalObject();
  const { word } = useSpeech();
  const views = useViews(node);
  const [isNaming, setNaming] = useState(false);
  const { saved, current } = views;
  const say = (text: string) => toast(portal, { text, kind: 'ok' });

  function remove(view: SavedView): void {
    views.remove(view);
    const action = { text: word('toast.undo'), run: () => views.restore(view) };
    toast(portal, { text: word('view.deleted', { name: view.name }), kind: 'ok', action });
  }
  async function copyLink(): Promise<void> {
    await navigator.clipboard.writeText(views.link());
    showCopied(views.link());
    say(word('view.linkCopied'));
  }
  const entries: MenuEntry[] = saved.map(view => ({
    key: `view ${view.name}`,
    group: word('view.saved'),
    text: view.name,
    checked: view === current,
    testId: partId(node.testId, 'view'),
    press: () => views.pick(view),
  }));
  entries.push(
    {
      key: 'save',
      divider: saved.length > 0,
      icon: 'plus',
      text: word('view.save'),
      testId: partId(node.testId, 'save-view'),
      press: () => setNaming(true),
    },
    {
      key: 'link',
      icon: 'link',
      text: word('view.copyLink'),
      testId: partId(node.testId, 'copy-link'),
      press: () => void copyLink(),
    },
  );
  if (current)
    entries.push({
      key: 'delete',
      icon: 'trash',
      danger: true,
      text: word('view.delete', { name: current.name }),
      testId: partId(node.testId, 'delete-view'),
      press: () => remove(current),
    });
  return (
    <>
      <MenuButton className="button" label={word('view.title')} testId={partId(node.testId, 'views')} entries={entries}>
        <Icon name="star" />
        <span className="button__text">{current?.name ?? word('view.title')}</span>
      </MenuButton>
      {isNaming && (
        <SaveView
          names={saved.map(({ name }) => name)}
          testId={node.testId}
          onSave={name => {
            views.save(name);
            setNaming(false);
            say(word('view.done', { name }));
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}
