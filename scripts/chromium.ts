import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const places = [
  // The same browser without windows: a page costs it little more than half the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const help = `No Chromium was found. Do one of these:
  - install Debian's or Ubuntu's: apt-get install chromium-headless-shell (or chromium)
  - let Playwright fetch its own: npx playwright-core install chromium
  - name yours: CHROMIUM_PATH=/path/to/chromium`;

/** The Chromium that browser tests drive: CHROMIUM_PATH, the system's, or the one Playwright keeps in its cache. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`);
    return named;
  }
  return [...places, chromium.executablePath()].find(place => existsSync(place));
}

/** As `findChromium`, but installs Debian's where it may. Throws with what to do where there is none. */
export function ensureChromium(): string {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Chromium is missing; installing Debian’s.');
    const apt = (...words: string[]): void => {
      execFileSync('apt-get', ['-q', ...words], {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    };
    apt('update');
    try {
      apt('install', '-y', '--no-install-recommends', 'chromium-headless-shell');
    } catch {
      // Older releases have the whole browser only.
      apt('install', '-y', '--no-install-recommends', 'chromium');
    }
  }
  const installed = findChromium();
  if (!installed) throw new Error(help);
  return installed;
}
