import { registerAll } from '../runtime/registry.ts';
import { Badge } from './badge.tsx';
import { Bell } from './bell/bell.tsx';
import { Card } from './card.tsx';
import { Columns } from './columns.tsx';
import { Facts } from './facts.tsx';
import { Filter } from './filter.tsx';
import { List } from './list.tsx';
import { Menu } from './menu.tsx';
import { Repeat } from './repeat.tsx';
import { Search } from './search.tsx';
import { Status } from './status.tsx';
import { Table } from './table/table.tsx';
import { Tabs } from './tabs.tsx';
import { Toolbar } from './toolbar.tsx';

/** The nodes that the sign-in page does without; who is signed in soon meets most of them. */
export const more = {
  badge: Badge,
  bell: Bell,
  card: Card,
  columns: Columns,
  facts: Facts,
  filter: Filter,
  list: List,
  menu: Menu,
  repeat: Repeat,
  search: Search,
  status: Status,
  table: Table,
  tabs: Tabs,
  toolbar: Toolbar,
} as const;

registerAll(more);
