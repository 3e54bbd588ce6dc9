import { spawnSync } from 'node:child_process';
import { findGo } from './stack/go-toolchain.mjs';
import { root } from './stack/places.mjs';
import { say } from './stack/terminal.mjs';

/**
 * `npm run check:deploy`: what tools of others say of our files for GitHub. They are built with Go, which takes
 * half a minute once. Ends with 2 where they cannot be had.
 */
const LEFT_OUT = 2;
const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

const go = await findGo();
const hasTool = go !== undefined && spawnSync(go, ['run', ACTIONLINT, '-version']).status === 0;
if (hasTool) {
  const { status } = spawnSync(go, ['run', ACTIONLINT], { cwd: root, stdio: 'inherit' });
  say(status === 0 ? 'actionlint finds nothing in .github/workflows.' : 'See actionlint above.');
  process.exitCode = status ?? 1;
} else {
  say('actionlint, which checks the workflows, needs Go 1.26 and its modules.');
  process.exitCode = LEFT_OUT;
}
