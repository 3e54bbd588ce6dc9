import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './stack/places.mjs';

const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));

/** Where Node.js would find a package that the one at `path` asks for. */
function isLocked(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) {
      return true;
    }
    if (at === '') {
      return false;
    }
  }
}

test('the lock names the optional packages of every platform, as "npm ci" refuses it otherwise', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(path, name))
      .map((name) => `${path} → ${name}`),
  );
  expect(missing).toEqual([]);
});

test('the lock names no registry', () => {
  const addresses = Object.values(packages).filter(({ resolved }) =>
    /^https?:/.test(resolved ?? ''),
  );
  expect(addresses).toEqual([]);
});
