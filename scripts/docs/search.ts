import { type SearchEntry, searchTopics } from './search-topics.ts';

// The search of the reference: what is typed is looked for in the names, properties and sentences of all pages.
const input = document.querySelector<HTMLInputElement>('#search');
const results = document.querySelector('#results');
const status = document.querySelector('#found');

let entries: Promise<readonly SearchEntry[]> | undefined;
const load = async (address: string): Promise<readonly SearchEntry[]> => (await fetch(address)).json();

function itemOf({ name, group, address }: SearchEntry): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  link.textContent = `${name} (${group})`;
  item.append(link);
  return item;
}

input?.addEventListener('input', async () => {
  entries ??= load(input.dataset.index ?? '');
  const asked = input.value;
  const found = searchTopics(await entries, asked);
  // Something else was typed meanwhile.
  if (input.value !== asked) return;
  results?.replaceChildren(...found.map(itemOf));
  if (status) status.textContent = asked.trim() === '' ? '' : `${found.length} found`;
});
