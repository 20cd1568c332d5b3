/**
 * An index for searches of one or two letters, which are too short for trigrams: every letter and every pair of letters
 * that a customer's text has.
 */
export const shortSearches = `
create function short_pieces(whole text) returns text[] language sql immutable strict parallel safe as $$
  select string_to_array(whole, null)
    || array(select substr(whole, place, 2) from generate_series(1, length(whole) - 1) place)
$$;
create index customers_short on customers using gin (short_pieces(search_text));
`;
