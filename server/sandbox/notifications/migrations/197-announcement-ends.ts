/** An announcement may end by itself; it begins when it is published. */
export const announcementEnds = `
alter table product_announcements add column until timestamptz;
`;
