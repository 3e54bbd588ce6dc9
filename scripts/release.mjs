import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { goBill, npmBill } from './release/bills.mjs';
import { notesOf } from './release/notes.mjs';
import { thirdPartyNotice } from './release/third-party.mjs';
import { tryArchive } from './release/trial.mjs';
import { findGo } from './stack/go-toolchain.mjs';
import { installDependencies } from './stack/install.mjs';
import { cachedMediaServer } from './stack/media-server-binary.mjs';
import { buildMediaServer } from './stack/media-server-build.mjs';
import { cache, root, version } from './stack/places.mjs';
import { run } from './stack/run.mjs';
import { readOptions, runMain, StartError, say, step } from './stack/terminal.mjs';
import { buildWeb } from './stack/web-build.mjs';

/**
 * `npm run release:files`: makes in dist/ what a release publishes beside its images, from the last commit. With
 * `--tag v1.2.3`, as its workflow calls it, for every processor, and only if version and changelog fit the tag; else for
 * this machine's. `npm run release:try` starts the archive of dist/ on its own. Ends with 2 where there is no Go.
 */
const LEFT_OUT = 2;
/** Node's names of processors, and those of Go. */
const PROCESSORS = { x64: 'amd64', arm64: 'arm64' };
const output = join(root, 'dist');
const name = `mogakgong-${version}`;
const archive = join(output, `${name}.tar.gz`);

await runMain(async () => {
  const { tag, try: isTrial } = readOptions({
    tag: { type: 'string' },
    try: { type: 'boolean', default: false },
  });
  const go = await findGo();
  if (go === undefined) {
    say('A release needs Go 1.26, which builds its media server.');
    return LEFT_OUT;
  }
  if (isTrial) {
    await tryArchive(archive, name);
    return 0;
  }
  await requireCleanTree();
  const notes = await notesOfRelease(tag);
  await installDependencies();
  await buildWeb();
  const folder = await mkdtemp(join(tmpdir(), 'mogakgong-release-'));
  try {
    await makeFiles({
      go,
      folder,
      notes,
      processors: tag ? Object.keys(PROCESSORS) : [process.arch],
    });
  } finally {
    await rm(folder, { recursive: true });
  }
  return 0;
});

/** A change that is not committed would be in the built pages, and not in the sources. */
async function requireCleanTree() {
  const changes = await run('git', ['status', '--porcelain'], { cwd: root });
  if (changes.length > 0)
    throw new StartError('A release is made of what is committed: commit your changes first.');
}

async function notesOfRelease(tag) {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const notes = notesOf(changelog, version);
  if (tag === undefined) return notes ?? notesOf(changelog, 'Unreleased');
  if (tag !== `v${version}`) throw new StartError(`${tag} is not the tag of version ${version}.`);
  if (notes === undefined) throw new StartError(`CHANGELOG.md says nothing about ${version}.`);
  return notes;
}

async function makeFiles({ go, folder, notes, processors }) {
  const product = join(folder, name);
  await rm(output, { recursive: true, force: true });
  await mkdir(output);
  await copySources(folder);
  for (const processor of processors) {
    const program = cachedMediaServer(join(product, '.cache'), `linux-${processor}`);
    await mkdir(dirname(program), { recursive: true });
    await step(`Building the media server for ${processor}`, (progress) =>
      buildMediaServer(go, program, progress, { ownCaches: false, goarch: PROCESSORS[processor] }),
    );
  }
  await step('Listing what is in it, with its licences', async () => {
    const program = cachedMediaServer(join(product, '.cache'), `linux-${processors[0]}`);
    const bill = await goBill(go, program);
    const notice = await thirdPartyNotice(bill);
    await writeFile(join(product, 'THIRD-PARTY.md'), notice);
    await writeFile(join(output, 'THIRD-PARTY.md'), notice);
    await writeFile(join(output, `${name}-livekit.cdx.json`), bill);
    await writeFile(join(output, `${name}-npm.cdx.json`), await npmBill());
  });
  await step('Packing the archive', () => pack(folder));
  await writeFile(join(output, 'SHA256SUMS'), await sums());
  // The workflow adds the images to it: it has no checksum.
  await writeFile(join(output, 'notes.md'), `${notes}\n`);
}

/** The sources of the commit, with the pages as `npm start` looks for them: so it builds nothing. */
async function copySources(folder) {
  const sources = join(folder, 'sources.tar');
  await run('git', ['archive', `--prefix=${name}/`, `--output=${sources}`, 'HEAD'], { cwd: root });
  await run('tar', ['--extract', '--file', sources, '--directory', folder]);
  const built = 'apps/web/dist';
  await cp(join(root, built), join(folder, name, built), { recursive: true });
  await cp(join(cache, 'web-build.txt'), join(folder, name, '.cache/web-build.txt'));
}

/** Neither user nor time of this machine is in it. */
async function pack(folder) {
  const [seconds] = await run('git', ['log', '-1', '--format=%ct'], { cwd: root });
  await run('tar', [
    ...['--create', '--gzip', '--file', archive, '--directory', folder],
    ...['--sort=name', `--mtime=@${seconds}`, '--owner=0', '--group=0', '--numeric-owner', name],
  ]);
}

async function sums() {
  const lines = [];
  for (const file of (await readdir(output)).sort()) {
    const hash = createHash('sha256').update(await readFile(join(output, file)));
    lines.push(`${hash.digest('hex')}  ${file}\n`);
  }
  return lines.join('');
}
