import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSource } from '../../server/layouts/load/load.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compile } from '../fixtures/compiler.ts';
import { compileSet, everyone, type Json, placeOf, type SchemaSet, schemaSet } from '../fixtures/schemas.ts';

function problemsOf(set: SchemaSet): string[] {
  return compileSet(set).problems.map(formatProblem);
}

function expectProblem(operation: Json, snippet: string, message: string, severity = 'error'): void {
  const set = {
    operations: { 'customers.get': { service: 'cloud', method: 'GET', path: '/api/customers', ...operation } },
  };
  assert.deepEqual(problemsOf(set), [`${placeOf(set, 'operations.json', snippet)}: ${severity}: ${message}`]);
}

const id = { id: { type: 'string' } };

test('what the path names is a parameter', () => {
  expectProblem(
    { path: '/api/{ids}', with: id },
    '"path"',
    'The path names "ids", which is not a parameter. Did you mean "id"?',
  );
  expectProblem({ path: '/api/{constructor}' }, '"path"', 'The path names "constructor", which is not a parameter.');
});

test('a path that is left open is none', () => {
  expectProblem({ path: '/api/{id', with: id }, '"path"', 'The path "/api/{id" has a brace that is not closed.');
  expectProblem({ path: '/api/id}', with: id }, '"path"', 'The path "/api/id}" has a brace that is not closed.');
});

test('what the portal is to answer itself is something that it answers', () => {
  expectProblem(
    { service: 'portal', path: '/session' },
    '"path"',
    'The portal does not answer "GET /session". Did you mean "GET /sessions"?',
  );
  const set = { operations: { 'sessions.mine': { service: 'portal', method: 'GET', path: '/sessions' } } };
  assert.deepEqual(problemsOf(set), []);
});

test('what the portal asks for its own answer is there', () => {
  expectProblem(
    { service: 'portal', path: '/add-product/customers' },
    '"path"',
    'The portal answers "GET /add-product/customers" by asking "marketplace.customers", which is not found.',
  );
});

test('a call that is elsewhere for some names its parameters there too, and asks for what there is', () => {
  const there = (place: Json) => ({ elsewhere: [{ requires: { userTypes: ['reseller'] }, path: '/old', ...place }] });
  expectProblem(
    { with: id, ...there({ path: '/old/{ids}' }) },
    '"path": "/old',
    'The path names "ids", which is not a parameter. Did you mean "id"?',
  );
  expectProblem(
    { ...there({ path: '/old/{id' }) },
    '"path": "/old',
    'The path "/old/{id" has a brace that is not closed.',
  );
  expectProblem(
    there({ requires: { not: { features: ['Nothing'] } } }),
    '"Nothing"',
    'The feature "Nothing" is not in access.json.',
  );
});

test('a call reads wherever it is, or writes wherever it is', () => {
  const other = { elsewhere: [{ requires: { userTypes: ['reseller'] }, method: 'POST', path: '/old' }] };
  expectProblem(other, '"method": "POST"', 'What reads in one place reads in all.');
  const set = {
    operations: {
      'customers.add': {
        service: 'cloud',
        method: 'POST',
        path: '/new',
        audit: 'customer.added',
        elsewhere: [{ requires: { userTypes: ['reseller'] }, method: 'PUT', path: '/old/{id}' }],
        with: id,
      },
    },
  };
  assert.deepEqual(problemsOf(set), []);
});

test('what the portal answers itself is in one place', () => {
  const set = {
    operations: {
      'sessions.mine': {
        service: 'portal',
        method: 'GET',
        path: '/sessions',
        elsewhere: [{ requires: { userTypes: ['reseller'] }, path: '/old' }],
      },
    },
  };
  assert.deepEqual(problemsOf(set), [
    `${placeOf(set, 'operations.json', '{\n          "requires"')}: error: The portal answers in one place.`,
  ]);
});

test('a read has no body and leaves nothing stale', () => {
  const forms = [{ id: 'name', fields: [{ type: 'field', propertyName: 'A', kind: 'text', label: 't.a' }] }];
  const set = {
    forms,
    operations: { 'customers.get': { service: 'cloud', method: 'GET', path: '/api', body: 'name' } },
  };
  assert.deepEqual(problemsOf(set), [`${placeOf(set, 'operations.json', '"body"')}: error: A GET has no body.`]);
  expectProblem({ refreshes: ['customers.get'] }, '"refreshes"', 'A GET changes nothing, so it refreshes nothing.');
});

test('a write without an audit record is a warning, unless it says that it changes nothing', () => {
  expectProblem(
    { method: 'POST' },
    '"customers.get"',
    'The write "customers.get" leaves no audit record; name it in "audit".',
    'warning',
  );
  const set = {
    operations: { 'orders.quote': { service: 'cloud', method: 'POST', path: '/api/quote', audit: false } },
  };
  assert.deepEqual(problemsOf(set), []);
});

test('the name of an audit record is a name, or false', () => {
  for (const audit of [true, null, 'Bad name', 1])
    expectProblem({ method: 'POST', audit }, '"audit"', '"audit" has none of the allowed forms.');
});

test('a body is a form that there is', () => {
  expectProblem({ method: 'POST', audit: 'a.b', body: 'name' }, '"body"', 'Form "name" not found.');
});

test('what a write refreshes is an operation', () => {
  expectProblem(
    { method: 'POST', audit: 'a.b', refreshes: ['customer.get'] },
    '"customer.get"',
    'Operation "customer.get" not found. Did you mean "customers.get"?',
  );
});

test('what is bound to the caller is a parameter, a fact and user types that there are', () => {
  const own = (rest: Json, name = 'id') => ({
    path: '/api/{id}',
    with: id,
    own: { [name]: { userTypes: ['endUser'], is: 'principal.userId', ...rest } },
  });
  expectProblem(own({}, 'ids'), '"ids"', '"ids" is not a parameter. Did you mean "id"?');
  expectProblem(own({ is: 'principal.userid' }), '"is"', 'The caller has no fact "userid". Did you mean "userId"?');
  expectProblem(
    own({ userTypes: ['endUser', 'enduserAdmin'] }),
    '"enduserAdmin"',
    'User type "enduserAdmin" not found. Did you mean "endUserAdmin"?',
  );
});

test('the pattern of a parameter is one', () => {
  expectProblem(
    { with: { id: { type: 'string', pattern: '[' } } },
    '"pattern"',
    'Not a regular expression: Invalid regular expression: /[/: Unterminated character class.',
  );
});

test('rights that access.json does not name', () => {
  expectProblem(
    { requires: { permissions: ['ad'] } },
    '"ad"',
    'The permission "ad" is not in access.json. Did you mean "add"?',
  );
  expectProblem(
    { requires: { any: [{ prices: true }, { not: { features: ['Nw'] } }] } },
    '"Nw"',
    'The feature "Nw" is not in access.json. Did you mean "New"?',
  );
  expectProblem(
    { reply: { MonthlySpend: { kind: 'money', requires: { views: ['hom'] } } } },
    '"hom"',
    'The view "hom" is not in access.json. Did you mean "home"?',
  );
});

test('there is one access document and one navigation', () => {
  const sources = schemaSet({});
  const without = (kind: string) =>
    compile(
      sources.filter(source => source.kind !== kind),
      [],
    ).problems.map(formatProblem);
  assert.deepEqual(without('access'), ['access.json:1:1: error: There must be one document of kind "access".']);
  assert.deepEqual(without('navigation'), [
    'navigation.json:1:1: error: There must be one document of kind "navigation".',
  ]);
  const second = parseSource(
    'more.json',
    '{ "$schema": "meta/access.schema.json", "views": [], "permissions": [], "features": [] }',
  );
  assert.ok('file' in second);
  assert.deepEqual(compile([...sources, second], []).problems.map(formatProblem), [
    'access.json:1:1: error: There must be one document of kind "access".',
  ]);
});

const listed = (filter: Json, bindings: Json): string[] =>
  problemsOf({
    operations: {
      'customers.list': {
        ...{ service: 'cloud', method: 'GET', path: '/api/customers', requires: everyone },
        with: { page: { type: 'integer' }, pageSize: { type: 'integer' }, search: { type: 'string' } },
      },
    },
    screens: [
      {
        ...{ id: 'home', state: { words: null }, data: { it: { operation: 'customers.list', with: bindings } } },
        children: [
          {
            ...{ type: 'filter', path: 'route.customer', label: 't.label', key: 'Id', titlePath: 'row.Name' },
            ...{ options: [{ value: '', text: 't.a' }], rows: 'data.it.Result.Items', ...filter },
          },
          { type: 'text', path: 'route.customer' },
        ],
      },
    ],
  }).map(problem => problem.replace(/^.*?: error: /, ''));

test('a filter does not offer a page of a longer list, and one that searches asks by what is typed', () => {
  assert.deepEqual(listed({}, {}), [
    '"customers.list" gives a page of its list: what stands on no page could not be chosen. Give "search".',
  ]);
  const search = { path: 'state.words', chosen: 'data.it.Result.Name' };
  assert.deepEqual(listed({ search }, {}), ['The data source "it" does not search by "state.words".']);
  assert.deepEqual(listed({ search }, { search: 'state.words' }), []);
});

test('a data source without a parameter that only some callers have from the server is refused where others read it', () => {
  const own = { id: { userTypes: ['endUserAdmin'], is: 'principal.organisationId' } };
  const operations = { 'a.get': { service: 'cloud', method: 'GET', path: '/api/a/{id}', with: id, own } };
  const said = (userTypes: readonly string[], source: Json = {}) =>
    problemsOf({
      operations,
      screens: [
        {
          ...{ id: 'home', requires: { userTypes }, data: { a: { operation: 'a.get', ...source } } },
          children: [{ type: 'text', path: 'data.a.Result.Name' }],
        },
      ],
    }).map(problem => problem.replace(/^.*?: error: /, ''));
  assert.deepEqual(said(['endUserAdmin']), []);
  assert.deepEqual(said(['reseller', 'endUserAdmin'], { requires: { userTypes: ['endUserAdmin'] } }), []);
  assert.deepEqual(said(['reseller', 'endUserAdmin'], { with: { id: 'principal.organisationId' } }), []);
  assert.deepEqual(said(['reseller', 'endUserAdmin']), [
    '"a.get" needs the parameter "id": it is known of "endUserAdmin" alone, and others may call it here.',
  ]);
});

test('a link is made to a file that the path names by the Guid, from parameters of the operation', () => {
  const link = { path: '/api/links', body: { File: 'id' } };
  const file = { path: '/api/by-link/{Guid}', file: 'text/csv', with: id, link };
  assert.deepEqual(problemsOf({ operations: { 'customers.file': { service: 'cloud', method: 'GET', ...file } } }), []);
  expectProblem(
    { ...file, path: '/api/by-link' },
    '"path"',
    'The path has no {Guid}, by which the link names the file.',
  );
  expectProblem(
    { ...file, with: { ...id, Guid: { type: 'string' } } },
    '"Guid"',
    'The Guid comes of the link, and of nobody else.',
  );
  expectProblem(
    { ...file, link: { ...link, body: { File: 'ids' } } },
    '"File"',
    '"ids" is not a parameter. Did you mean "id"?',
  );
  expectProblem(
    { ...file, link: { ...link, path: '/api/links/{id}' } },
    '"path": "/api/links',
    'The parameters of what makes a link are in its body.',
  );
  expectProblem(
    { path: '/api/by-link/{Guid}', with: id, link, reply: { Name: 'text' } },
    '"link"',
    'A link is made to a file: name its media type in "file".',
  );
});
