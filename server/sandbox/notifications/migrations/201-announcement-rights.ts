/** An announcement may be for those alone who hold one of some views, and one of some permissions. */
export const announcementRights = `
alter table product_announcements
  add column views text[] not null default '{}',
  add column permissions text[] not null default '{}';
`;
