import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { cleanup, screen, within } from '@testing-library/react';
import { openPage } from './open-page.tsx';

afterEach(cleanup);

const crumbsRoot = { text: 'Dashboard', to: '/dashboard' };
const crumbs = () => within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('listitem');

test('the first crumb goes to the dashboard, the last is plain text', () => {
  openPage({
    path: '/customers/customer/7',
    navigation: { crumbsRoot },
    data: { it: { Succeed: true, Result: { Name: 'Ashdown Legal' } } },
    screen: {
      title: '{{name}}',
      values: { name: 'data.it.Result.Name' },
      crumbs: [{ text: 'Customers', to: '/customers' }],
    },
  });
  assert.deepEqual(
    crumbs().map(one => one.textContent),
    ['Dashboard', 'Customers', 'Ashdown Legal'],
  );
  assert.deepEqual(
    crumbs().map(one => one.querySelector('a')?.getAttribute('href')),
    ['/dashboard', '/customers', undefined],
  );
});

test('no two crumbs lead to one address', () => {
  openPage({
    path: '/customers/customer/7',
    navigation: { crumbsRoot: { text: 'Home', to: '/customers' } },
    screen: {
      title: 'Ashdown Legal',
      crumbs: [
        { text: 'Customers', to: '/customers' },
        { text: 'Services', to: '/services' },
      ],
    },
  });
  assert.deepEqual(
    crumbs().map(one => one.textContent),
    ['Home', 'Services', 'Ashdown Legal'],
  );
});

test('a single crumb is not shown', () => {
  openPage({ path: '/dashboard', navigation: { crumbsRoot } });
  assert.equal(screen.queryByRole('navigation', { name: 'Breadcrumb' }), null);
});

test('who has no first crumb sees no breadcrumbs', () => {
  openPage({ navigation: {}, screen: { crumbs: [{ text: 'Customers', to: '/customers' }] } });
  assert.equal(screen.queryByRole('navigation', { name: 'Breadcrumb' }), null);
});

test('the head of a page holds its title, short facts and actions', () => {
  openPage({
    screen: {
      title: 'Customers',
      meta: [{ type: 'text', text: '48 customers' }],
      actions: [{ type: 'button', text: 'Add customer', on: { press: [] } }],
    },
  });
  assert.ok(screen.getByRole('heading', { level: 1, name: 'Customers' }));
  assert.ok(screen.getByText('48 customers'));
  assert.ok(screen.getByRole('button', { name: 'Add customer' }));
});

test('the skip link leads to the content', () => {
  openPage({});
  const link = screen.getByRole('link', { name: 'Skip to content' });
  assert.equal(link.getAttribute('href'), `#${screen.getByRole('main').id}`);
});

test('a page that brings its own heading has no other', () => {
  openPage({
    navigation: { crumbsRoot },
    screen: { title: 'Not here', heading: 'hidden', children: [{ type: 'empty', level: 1, title: 'Page not found' }] },
  });
  assert.deepEqual(
    screen.getAllByRole('heading', { level: 1 }).map(one => one.textContent),
    ['Page not found'],
  );
  assert.equal(screen.queryByRole('navigation', { name: 'Breadcrumb' }), null);
});

test('a gate screen is a card with the logo above, its actions below and no header', () => {
  openPage({
    navigation: {
      productName: 'Fernhill Cloud',
      label: 'Main',
      main: [{ id: 'd', text: 'Dashboard', to: '/d' }],
      copyright: '© Fernhill',
    },
    screen: {
      shell: 'gate',
      title: 'Sign in',
      actions: [{ type: 'link', text: 'Other portal', external: 'https://other.test' }],
    },
  });
  assert.equal(screen.queryByRole('banner'), null);
  assert.ok(screen.getByText('Fernhill'));
  assert.ok(screen.getByRole('heading', { level: 1, name: 'Sign in' }).closest('.gate__card'));
  assert.equal(screen.getByRole('link', { name: /Other portal/ }).closest('.gate__card'), null);
  assert.ok(within(screen.getByRole('contentinfo')).getByText('© Fernhill'));
});

test('without a navigation the screen stands alone', () => {
  openPage({ screen: { title: 'Alone' } });
  assert.ok(screen.getByRole('heading', { level: 1, name: 'Alone' }));
  assert.equal(screen.queryByRole('banner'), null);
  assert.equal(screen.queryByRole('contentinfo'), null);
});
