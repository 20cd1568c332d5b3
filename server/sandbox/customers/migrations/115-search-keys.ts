/** Searches of customers without accents: "muller" finds "Müller". `shared/rules/search-key.ts` is the same. */
export const searchKeys = `
create function search_key(whole text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(whole) = length(whole) then lower(whole collate "C") collate "default"
    else normalize(
      replace(replace(replace(replace(
        translate(
          regexp_replace(lower(normalize(whole, NFKD) collate "und-x-icu"), '[\\u0300-\\u036f]', '', 'g'),
          'øđðħıłŋŧς’‘ʼ‐‒–—', 'oddhilntσ''''''----'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      NFC) collate "default"
    end
$$;

alter table customers drop column search_text;
alter table customers add column search_text text collate "C" not null
  generated always as (search_key(name || chr(10) || domain)) stored;
create index customers_search on customers using gin (search_text gin_trgm_ops);
create index customers_short on customers using gin (short_pieces(search_text));
`;
