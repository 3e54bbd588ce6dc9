import { spawnSync } from 'node:child_process';
import { checkChart, hasChartTools } from './deploy-check/chart.mjs';
import { findGo } from './stack/go-toolchain.mjs';
import { root } from './stack/places.mjs';
import { say } from './stack/terminal.mjs';

/**
 * `npm run check:deploy`: what tools of others say of our files for GitHub, and of the chart. They are built with Go,
 * which takes minutes once. Ends with 2 where they cannot be had.
 */
const LEFT_OUT = 2;
const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

const go = await findGo();
const hasTools =
  go !== undefined &&
  spawnSync(go, ['run', ACTIONLINT, '-version']).status === 0 &&
  hasChartTools(go);
if (hasTools) {
  const { status } = spawnSync(go, ['run', ACTIONLINT], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('See actionlint above.');
  say('actionlint finds nothing in .github/workflows.');
  checkChart(go);
  say('The chart renders objects that Kubernetes reads, and what it promises.');
} else {
  say(
    'actionlint and Helm, which check the workflows and the chart, need Go 1.26 and its modules.',
  );
  process.exitCode = LEFT_OUT;
}
