import { after, before, test } from 'node:test';
import { axe, newPage, screenshots } from '../fixtures/browser.ts';
import { accounts } from '../fixtures/sign-in.ts';
import { openTheatre, type Theatre } from '../fixtures/theatre.ts';
import { visit } from '../fixtures/visit.ts';

let theatre: Theatre;
before(async () => {
  theatre = await openTheatre();
});
after(() => theatre.close());

const publicScreens = { login: '/login', 'sign-in': `/sign-in?username=${encodeURIComponent(accounts.reseller)}` };
const ownScreens = {
  dashboard: '/',
  customers: '/customers',
  'add-customer': '/customers/add',
  'not-found': '/nowhere',
};

for (const [name, path] of Object.entries(publicScreens)) {
  test(`${name} fits every window, light and dark, and axe finds nothing`, async t => {
    const page = await newPage(t, theatre.browser);
    await page.goto(theatre.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await axe(page);
    await screenshots(page, name);
  });
}

for (const [name, path] of Object.entries(ownScreens)) {
  test(`${name} fits every window, light and dark, and axe finds nothing`, async t => {
    const page = await visit(t, theatre, accounts.reseller, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await axe(page);
    await screenshots(page, name);
    await page.emulateMedia({ colorScheme: 'dark' });
    await axe(page);
  });
}
