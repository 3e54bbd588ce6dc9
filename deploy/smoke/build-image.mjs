import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { apiNode } from '../../scripts/stack/node-version.mjs';
import { root } from '../../scripts/stack/places.mjs';
import { run } from '../../scripts/stack/run.mjs';
import { step } from '../../scripts/stack/terminal.mjs';

const SUITE = 'bookworm';
const MEGABYTE = 1_000_000;
/** What Debian's slim images leave out. */
const NOT_IN_SLIM = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'var/cache/apt',
  'var/lib/apt/lists',
];
/** The build downloads packages of npm with the certificates of this machine. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const IMAGE = 'localhost/mogakgong';

/**
 * An image and its files, read-only.
 * @typedef {{megabytes: number, files: string, entrypoint: string[], env: string[], user: string, workingDir: string}} Image
 */

/**
 * Builds deploy/Containerfile on a Debian and a Node.js of packages, with the media server that `npm start` has: building
 * that takes minutes.
 * @returns {Promise<Image>}
 */
export async function buildImage({ folder, closers, mediaServer }) {
  const places = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
  const podman = (...args) => run('podman', [...places, ...args]);
  await step('Making a Debian and a Node.js to build on', () => makeBases(folder, places));
  const media = join(folder, 'media');
  await mkdir(media);
  await copyFile(mediaServer, join(media, 'livekit-server'));
  await step('Building the image', () =>
    podman(
      ...[
        'build',
        '--layers=false',
        '--isolation',
        'chroot',
        '--network',
        'host',
        '--format',
        'docker',
      ],
      ...['--build-arg', 'BASE=localhost/base', '--build-arg', 'NODE_IMAGE=localhost/node'],
      ...['--build-context', `media=${media}`],
      ...['--file', join(root, 'deploy/Containerfile'), '--tag', IMAGE, root],
    ),
  );
  const [size, config] = await podman(
    'image',
    'inspect',
    '--format',
    '{{.Size}}\n{{json .Config}}',
    IMAGE,
  );
  const [files] = await podman('image', 'mount', IMAGE);
  closers.push(() => podman('image', 'umount', '--all', '--force'));
  const { Entrypoint, Env, User, WorkingDir } = JSON.parse(config);
  const megabytes = Math.round(Number(size) / MEGABYTE);
  return { megabytes, files, entrypoint: Entrypoint, env: Env, user: User, workingDir: WorkingDir };
}

async function makeBases(folder, places) {
  const files = join(folder, 'debian');
  await run('debootstrap', ['--variant=minbase', SUITE, files, 'http://deb.debian.org/debian']);
  for (const name of NOT_IN_SLIM) await rm(join(files, name), { recursive: true });
  await importFiles(places, files, 'localhost/base');
  await copyFile(apiNode(), join(files, 'usr/local/bin/node'));
  await run('npm', ['install', '--global', '--prefix', join(files, 'usr/local'), 'npm@11']);
  await mkdir(join(files, dirname(CERTIFICATES)), { recursive: true });
  await cp(CERTIFICATES, join(files, CERTIFICATES), { dereference: true });
  await importFiles(places, files, 'localhost/node', `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`);
  await rm(files, { recursive: true });
}

async function importFiles(places, files, name, change = 'ENV LANG=C.UTF-8') {
  const tar = spawn('tar', ['-C', files, '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const args = [...places, 'import', '--quiet', '--change', change, '-', name];
  const podman = spawn('podman', args, { stdio: [tar.stdout, 'ignore', 'inherit'] });
  const [code] = await once(podman, 'exit');
  if (code !== 0) throw new Error(`podman import of ${name} ended with ${code}`);
}
