import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackage } from './debian-package.mjs';
import { root } from './places.mjs';
import { run } from './run.mjs';
import { StartError, say, step } from './terminal.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const VERSION_TIMEOUT_MS = 20_000;

/**
 * A Chromium that runs: CHROMIUM_PATH, the system's, Playwright's, or a newly installed one.
 * @returns {Promise<string>} its path
 * @throws {StartError} when none can be had
 */
export async function provideChromium() {
  return (await findChromium()) ?? installChromium();
}

/** An installed Chromium that runs, or undefined. */
export async function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if ((await chromiumVersion(given)) === undefined) {
      throw new StartError(
        `CHROMIUM_PATH ${given} cannot be run: set it to a Chromium or Chrome, or leave it out.`,
      );
    }
    return given;
  }
  const candidates = [...NAMES.map(onPath), ...MAC_PATHS, await playwrightsOwn()];
  for (const candidate of candidates) {
    if (
      candidate !== undefined &&
      existsSync(candidate) &&
      (await chromiumVersion(candidate)) !== undefined
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
export async function chromiumVersion(command) {
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

async function installChromium() {
  for (const way of [fromDebian, fromPlaywright]) {
    try {
      await way();
      const found = await findChromium();
      if (found !== undefined) {
        return found;
      }
    } catch (error) {
      say(`  ${error.message}. Trying the next way.`);
    }
  }
  throw new StartError(
    'The tests need a Chromium and none could be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one, then run the command again.',
  );
}

function fromDebian() {
  return installDebianPackage('Chromium', 'chromium');
}

async function fromPlaywright() {
  const cli = join(root, 'node_modules/playwright-core/cli.js');
  await step("Installing Playwright's Chromium", () =>
    run(process.execPath, [cli, 'install', 'chromium']),
  );
}
