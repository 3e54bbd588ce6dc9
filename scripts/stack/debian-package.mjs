import { run } from './run.mjs';
import { step } from './terminal.mjs';

const VERSION_TIMEOUT_MS = 20_000;

/** Whether a command exists and prints its version. */
export function canRun(command) {
  return run(command, ['--version'], { timeoutMs: VERSION_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
}

/** Installs a Debian package where that is possible: as root, where there is apt-get; else does nothing. */
export async function installDebianPackage(title, name) {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !(await canRun('apt-get'))) {
    return;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await step(`Installing ${title} (Debian package)`, async () => {
    await run('apt-get', ['update', '-q'], { env });
    await run('apt-get', ['install', '-q', '-y', '--no-install-recommends', name], { env });
  });
}
