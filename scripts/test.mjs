import { provideChromium, provideFirefox } from './stack/browsers.mjs';
import { prepareStack } from './stack/prepare.mjs';
import { provideRedis } from './stack/redis.mjs';
import { complain, readOptions, StartError, say } from './stack/terminal.mjs';
import { addTotals, runCheck, runE2e, runUnit, summary } from './stack/test-parts.mjs';
import { buildWeb } from './stack/web-build.mjs';

const PARTS = ['check', 'unit', 'e2e'];
/** A part that runs only by itself: the hostile clients against LiveKits that we do not configure. */
const FOREIGN_MEDIA = 'foreign-media';

const totals = await runTests().catch((error) => {
  complain(error instanceof StartError ? error.message : error.stack);
  return { passed: 0, failed: 1, skipped: 0, failures: [], unsteady: [] };
});
process.exitCode = totals.failed === 0 ? 0 : 1;
for (const test of totals.unsteady) say(`unsteady, passed by itself: ${test}`);
for (const failure of totals.failures) say(`failed: ${failure}`);
say(summary(totals));

async function runTests() {
  const { only } = readOptions({ only: { type: 'string' } });
  if (only !== undefined && ![...PARTS, FOREIGN_MEDIA].includes(only)) {
    throw new StartError(`--only knows ${[...PARTS, FOREIGN_MEDIA].join(', ')}, not ${only}.`);
  }
  const wants = (part) => only === undefined || only === part;
  let env = await prepareStack();
  await buildWeb();
  if (wants('e2e') || wants('unit') || only === FOREIGN_MEDIA) {
    env = { ...env, CHROMIUM_PATH: await provideChromium() };
  }
  if (wants('unit')) {
    await provideRedis();
  }
  const results = [];
  if (wants('check')) {
    results.push(await runCheck(env));
  }
  if (wants('unit')) {
    results.push(await runUnit(env));
  }
  if (wants('e2e')) {
    const firefox = await provideFirefox();
    if (firefox === undefined) {
      say('  The journeys in Firefox are skipped: there is none, and none could be installed.');
    } else {
      env = { ...env, FIREFOX_PATH: firefox };
    }
    results.push(await runE2e(env));
  }
  if (only === FOREIGN_MEDIA) {
    results.push(await runE2e({ ...env, E2E_MEDIA: 'listed' }, 'hostile-client'));
    results.push(await runE2e({ ...env, E2E_MEDIA: 'added' }, 'hostile-client'));
  }
  return addTotals(results);
}
