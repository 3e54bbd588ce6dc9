import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, version } from './stack/places.mjs';
import { run } from './stack/run.mjs';
import { runMain, StartError, say } from './stack/terminal.mjs';

/**
 * `npm run release:version -- 1.2.3`: gives all workspaces this version, and what CHANGELOG.md calls Unreleased. Not by
 * `npm version`, which leaves the versions that workspaces ask of each other.
 */
const VERSION = /^\d+\.\d+\.\d+(?:-[\d.a-z]+)?$/u;
const MANIFESTS = ['package.json', '{apps,packages}/*/package.json'];

await runMain(async () => {
  const [next = ''] = process.argv.slice(2);
  if (!VERSION.test(next))
    throw new StartError('Say which version: npm run release:version -- 1.2.3');
  for await (const manifest of glob(MANIFESTS, { cwd: root })) {
    // Its own, and those of other workspaces that it asks for. A stand-in for a package of others has the version of that.
    await replaceIn(
      manifest,
      /("(?:version|@mogakgong\/\w+(?:-\w+)*)": ")([^"]+)/gu,
      (all, start, old) => (old === version ? start + next : all),
    );
  }
  await replaceIn('deploy/chart/Chart.yaml', /^((?:version|appVersion): ).+$/gmu, `$1${next}`);
  const today = new Date().toISOString().slice(0, 10);
  await replaceIn('CHANGELOG.md', '## Unreleased\n', `## Unreleased\n\n## ${next} - ${today}\n`);
  await run('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root });
  say(`Everything is version ${next}. Read the changes, then commit and tag them: v${next}.`);
});

async function replaceIn(file, pattern, replacement) {
  const path = join(root, file);
  await writeFile(path, (await readFile(path, 'utf8')).replace(pattern, replacement));
}
