import { registerAll } from '../runtime/page/registry.ts';
import { Card } from './card.tsx';
import { Facts } from './facts.tsx';
import { Filter } from './filter.tsx';
import { Menu } from './menu.tsx';
import { Search } from './search.tsx';
import { Status } from './status.tsx';
import { Table } from './table/table.tsx';
import { Tabs } from './tabs.tsx';
import { Toolbar } from './toolbar.tsx';

/** The nodes that the sign-in page does without; who is signed in soon meets most of them. */
export const more = {
  card: Card,
  facts: Facts,
  filter: Filter,
  menu: Menu,
  search: Search,
  status: Status,
  table: Table,
  tabs: Tabs,
  toolbar: Toolbar,
} as const;

registerAll(more);
