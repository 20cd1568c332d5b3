/** Links that are shown with a product: to an article by its path, or to a page elsewhere by its title and address. */
export const relatedLinks = `
create table related_links (
  product text not null,
  position integer not null,
  article_path text,
  title text,
  url text,
  primary key (product, position),
  check ((article_path is null) = (url is not null) and (title is null) = (url is null))
);
`;
