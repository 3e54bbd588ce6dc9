import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackage } from './debian-package.mjs';
import { root } from './places.mjs';
import { run } from './run.mjs';
import { StartError, say, step } from './terminal.mjs';

const VERSION_TIMEOUT_MS = 20_000;

/**
 * A browser that the tests use.
 * @typedef {object} Kind
 * @property {string} variable names the path of one that is to be used
 * @property {string} title
 * @property {string[]} commands
 * @property {string[]} macPaths
 * @property {() => Promise<string | undefined>} elsewhere a path that is no command
 */

/** @type {Kind} */
const CHROMIUM = {
  variable: 'CHROMIUM_PATH',
  title: 'Chromium or Chrome',
  commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  macPaths: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  elsewhere: playwrightsOwn,
};

/** @type {Kind} */
const FIREFOX = {
  variable: 'FIREFOX_PATH',
  title: 'Firefox',
  commands: ['firefox-esr', 'firefox'],
  macPaths: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  elsewhere: async () => undefined,
};

/**
 * A Chromium that runs: CHROMIUM_PATH, the system's, Playwright's, or a newly installed one.
 * @returns {Promise<string>} its path
 * @throws {StartError} when none can be had
 */
export async function provideChromium() {
  const found =
    (await findChromium()) ??
    (await firstInstalled(CHROMIUM, [chromiumFromDebian, fromPlaywright]));
  if (found !== undefined) {
    return found;
  }
  throw new StartError(
    'The tests need a Chromium and none could be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one, then run the command again.',
  );
}

/**
 * A Firefox that runs: FIREFOX_PATH, the system's, or Debian's, newly installed.
 * @returns {Promise<string | undefined>} its path; undefined where none can be had
 * @throws {StartError} when FIREFOX_PATH cannot be run
 */
export async function provideFirefox() {
  return (await find(FIREFOX)) ?? (await firstInstalled(FIREFOX, [firefoxFromDebian]));
}

/** An installed Chromium that runs, or undefined. */
export function findChromium() {
  return find(CHROMIUM);
}

async function find({ variable, title, commands, macPaths, elsewhere }) {
  const given = process.env[variable];
  if (given) {
    if ((await browserVersion(given)) === undefined) {
      throw new StartError(
        `${variable} ${given} cannot be run: set it to a ${title}, or leave it out.`,
      );
    }
    return given;
  }
  const candidates = [...commands.map(onPath), ...macPaths, await elsewhere()];
  for (const candidate of candidates) {
    if (
      candidate !== undefined &&
      existsSync(candidate) &&
      (await browserVersion(candidate)) !== undefined
    ) {
      return candidate;
    }
  }
  return undefined;
}

/** The full path of a command: browsers are started by path. */
function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(existsSync);
}

/** Its version, e.g. "Chromium 156.0.8078.73"; a launcher without a browser has none. */
export async function browserVersion(command) {
  try {
    const lines = await run(command, ['--version'], { timeoutMs: VERSION_TIMEOUT_MS });
    return lines.find((line) => /\d+\.\d+/.test(line))?.trim();
  } catch {
    return undefined;
  }
}

async function playwrightsOwn() {
  try {
    const { chromium } = await import('playwright-core');
    return chromium.executablePath();
  } catch {
    return undefined;
  }
}

/** Installs it in the first way that works; its path, or undefined where none does. */
async function firstInstalled(kind, ways) {
  for (const way of ways) {
    try {
      await way();
      const found = await find(kind);
      if (found !== undefined) {
        return found;
      }
    } catch (error) {
      say(`  ${error.message}.`);
    }
  }
  return undefined;
}

function chromiumFromDebian() {
  return installDebianPackage('Chromium', 'chromium');
}

function firefoxFromDebian() {
  return installDebianPackage('Firefox', 'firefox-esr');
}

async function fromPlaywright() {
  const cli = join(root, 'node_modules/playwright-core/cli.js');
  await step("Installing Playwright's Chromium", () =>
    run(process.execPath, [cli, 'install', 'chromium']),
  );
}
