import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathWithoutModules } from '../stack/install.mjs';
import { version } from '../stack/places.mjs';
import { run } from '../stack/run.mjs';
import { StartError, say, step } from '../stack/terminal.mjs';

const DEADLINE_MS = 300_000;
/** Programs that every operator has, and no compiler: `npm` runs packages' scripts with sh, the product finds processes with ps. */
const PROGRAMS = ['node', 'npm', 'npx', 'sh', 'env', 'ps'];

/**
 * Unpacks an archive and runs `npm start` there with nothing but Node.js and npm on PATH: it must build nothing.
 * @throws {StartError} when it does not start, builds something, or serves no page
 */
export async function tryArchive(archive, name) {
  const folder = await mkdtemp(join(tmpdir(), 'mogakgong-release-'));
  try {
    await run('tar', ['--extract', '--file', archive, '--directory', folder]);
    const product = startBare(join(folder, name), await pathOf(folder), join(folder, 'data'));
    try {
      await step('Starting it', () => untilReady(product));
      if (/Building|Downloading/u.test(product.output)) {
        throw new StartError(`It was not whole:\n${product.output}`);
      }
      await checkAnswers(/is ready: (\S+)/u.exec(product.output)[1]);
    } finally {
      product.child.kill('SIGTERM');
      await product.ended;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A folder of links to those programs, as the value of PATH. */
async function pathOf(folder) {
  const path = join(folder, 'bin');
  await mkdir(path);
  for (const program of PROGRAMS) {
    const env = { PATH: pathWithoutModules() };
    const [found] = await run('sh', ['-c', `command -v ${program}`], { env });
    await symlink(found, join(path, program));
  }
  return path;
}

function startBare(cwd, PATH, DATA_DIR) {
  const child = spawn('npm', ['start'], {
    cwd,
    env: { HOME: process.env.HOME, PATH, PORT: '0', DATA_DIR },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const product = { child, output: '', ended: once(child, 'close') };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      product.output += text;
    });
  }
  return product;
}

function untilReady(product) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => product.child.kill('SIGTERM'), DEADLINE_MS);
    product.child.stdout.on('data', () => {
      if (!product.output.includes(`Mogakgong ${version} is ready`)) return;
      clearTimeout(timer);
      resolve();
    });
    product.child.once('error', reject);
    product.child.once('exit', () =>
      reject(new StartError(`It did not start:\n${product.output}`)),
    );
  });
}

async function checkAnswers(url) {
  for (const path of ['/readyz', '/', '/login']) {
    const { status } = await fetch(new URL(path, url));
    say(`  ${path}: ${status}`);
    if (status !== 200) throw new StartError(`${path} was answered with ${status}.`);
  }
}
