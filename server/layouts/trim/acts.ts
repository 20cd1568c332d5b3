import type { Principal } from '../../access/principal.ts';
import type { Compiled, Use } from '../names/pass.ts';
import type { Act } from './access-types.ts';
import { describeCall, describeScreen, type Reached } from './outline.ts';
import type { Result } from './trim.ts';

/** Most screens that are named of those on which a call stands. */
const mostScreens = 3;

/**
 * Tells the screens that anybody could open and the calls that they could make there, by keys that are the same for
 * every caller: the route of a screen, the name of an operation or command. `trial` makes the documents as they get them.
 */
export function createActs(
  compiled: Compiled,
  trial: (principal: Principal) => Reached,
): (principal: Principal) => ReadonlyMap<string, Act> {
  return principal => {
    const reached = trial(principal);
    const acts = new Map<string, Act>();
    const standsOn = new Map<string, string[]>();
    const kinds = new Map<string, Act['kind']>();
    for (const { layout } of reached.values())
      if (layout.kind === 'screen')
        acts.set(layout.route, { kind: 'Screen', name: describeScreen(layout), on: layout.route });
    for (const [key, result] of reached) {
      if (result.layout.kind === 'popup') continue;
      const screen = result.layout.kind === 'screen' ? describeScreen(result.layout) : '';
      for (const use of usesBelow(key, reached)) {
        const [name, kind] = callOf(use);
        if (name === undefined) continue;
        // An operation that is read and pressed counts as an act.
        if (kind === 'Act' || !kinds.has(name)) kinds.set(name, kind);
        const screens = standsOn.get(name) ?? [];
        standsOn.set(name, screens);
        if (screen !== '' && !screens.includes(screen)) screens.push(screen);
      }
    }
    for (const [name, kind] of kinds)
      acts.set(name, {
        kind,
        name: describeCall(compiled, name, principal.facts.locale).name,
        on: shorten(standsOn.get(name) ?? []),
      });
    return acts;
  };
}

const shorten = (screens: readonly string[]): string =>
  screens.length > mostScreens ? `${screens.slice(0, mostScreens).join(', ')} …` : screens.join(', ');

/** All that a document uses, and the popups that it opens. */
function usesBelow(key: string, reached: Reached): readonly Use[] {
  const seen = new Set<string>();
  const uses: Use[] = [];
  const visit = (document: string): void => {
    const result: Result | undefined = reached.get(document);
    if (!result || seen.has(document)) return;
    seen.add(document);
    for (const use of result.uses) {
      if (use.kind === 'popup') visit(`popup:${use.popup}`);
      else uses.push(use);
    }
  };
  visit(key);
  return uses;
}

/** The call that a use is, and its kind. */
function callOf(use: Use): readonly [name: string | undefined, kind: Act['kind']] {
  switch (use.kind) {
    case 'command':
      return [use.command, 'Act'];
    case 'write':
      return [use.operation, 'Act'];
    case 'file':
      return [use.operation, 'File'];
    case 'source':
      return [use.operation, 'Data'];
    default:
      return [undefined, 'Data'];
  }
}
