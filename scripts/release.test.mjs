import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONTAINED, refusedParts, shippedPackages } from './release/licences.mjs';
import { notesOf } from './release/notes.mjs';
import { root, version } from './stack/places.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
/** It stands in for a package of others, and has its version. */
const STAND_IN = 'packages/mermaid-to-excalidraw/package.json';

test('all workspaces have one version, also in what they ask of each other and in the lock', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const manifests = globSync(['package.json', '{apps,packages}/*/package.json'], { cwd: root });
  expect(manifests.length).toBeGreaterThan(5);
  for (const manifest of manifests.filter((file) => file !== STAND_IN)) {
    const { version: own, dependencies, devDependencies } = JSON.parse(read(manifest));
    const ours = Object.entries({ ...dependencies, ...devDependencies })
      .filter(([name]) => name.startsWith('@mogakgong/'))
      .map(([, asked]) => asked);
    const locked = packages[manifest.replace(/\/?package\.json$/u, '')].version;
    expect({ manifest, versions: [...new Set([own, locked, ...ours])] }).toEqual({
      manifest,
      versions: [version],
    });
  }
});

test('everything of npm that is shipped has a licence that is allowed', async () => {
  const shipped = await shippedPackages();
  expect(shipped.length).toBeGreaterThan(200);
  expect(refusedParts([...CONTAINED, ...shipped])).toEqual([]);
});

test.each([
  ['AGPL-3.0-only', 1],
  ['(MIT AND GPL-2.0-only)', 1],
  [undefined, 1],
  ['(MIT AND Zlib)', 0],
])('of the licence %s %i are refused', (licence, count) => {
  expect(refusedParts([{ name: 'part', licence }])).toHaveLength(count);
});

test('the notes of a release are its section of the changelog', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2027-01-02\n\n### Added\n\n- A.\n\n## 1.1.0 - 2027\n';
  expect(notesOf(changelog, '1.2.0')).toBe('### Added\n\n- A.');
  expect(notesOf(changelog, '1.1.0')).toBe('');
  expect(notesOf(changelog, '1.2')).toBeUndefined();
  expect(notesOf(read('CHANGELOG.md'), 'Unreleased')).toBeDefined();
});

test('every action of a workflow is pinned by its commit, with its version beside it', () => {
  for (const file of globSync('.github/workflows/*.yml', { cwd: root })) {
    const uses = read(file).match(/uses: (?!\.\/).*$/gmu) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/^uses: [\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/u);
  }
});
