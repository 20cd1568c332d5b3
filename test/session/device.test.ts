import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeDevice } from '../../server/session/device.ts';

const mozilla = (system: string, rest: string): string => `Mozilla/5.0 (${system}) AppleWebKit/537.36 ${rest}`;
const windows = 'Windows NT 10.0; Win64; x64';
const iPhone = 'iPhone; CPU iPhone OS 18_0 like Mac OS X';

for (const [userAgent, words] of [
  [mozilla(windows, '(KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'), 'Chrome on Windows'],
  [mozilla(windows, '(KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'), 'Edge on Windows'],
  [mozilla('Macintosh; Intel Mac OS X 10_15_7', 'Version/18.0 Safari/605.1.15'), 'Safari on Mac'],
  [mozilla(iPhone, 'Version/18.0 Mobile/15E148 Safari/604.1'), 'Safari on iPhone'],
  [mozilla(iPhone, 'CriOS/140.0 Mobile/15E148 Safari/604.1'), 'Chrome on iPhone'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Linux'],
  [
    mozilla('Linux; Android 15; SM-S931B', 'SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36'),
    'Samsung Internet on Android',
  ],
  [mozilla('Linux; Android 10; K', 'Chrome/140.0.0.0 Mobile Safari/537.36 OPR/91.0.0.0'), 'Opera on Android'],
  [mozilla('X11; CrOS x86_64 14541.0.0', 'Chrome/140.0.0.0 Safari/537.36'), 'Chrome on ChromeOS'],
  ['Firefox/143.0', 'Firefox'],
  ['curl/8.5.0', 'Unknown device'],
  ['', 'Unknown device'],
] as const)
  test(`"${userAgent.slice(0, 60)}" is ${words}`, () => assert.equal(describeDevice(userAgent), words));

test('a browser that says nothing is an unknown device', () =>
  assert.equal(describeDevice(undefined), 'Unknown device'));

test('whatever a browser says, only words of the portal come of it', () => {
  const own =
    /^(?:Unknown device|(?:Edge|Opera|Samsung Internet|Firefox|Chrome|Safari)(?: on |$))?(?:Windows|iPhone|iPad|Android|ChromeOS|Mac|Linux)?$/;
  const said = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('Chrome/', 'Windows', 'Edg', 'iPad', '\u202e', '<b>', '🚀'),
    ),
    { maxLength: 200 },
  );
  fc.assert(fc.property(said, parts => assert.match(describeDevice(parts.join('')), own)));
  assert.equal(describeDevice(`${' '.repeat(600)}Chrome/1 Windows`), 'Unknown device');
});
