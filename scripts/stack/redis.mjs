import { canRun, installDebianPackage } from './debian-package.mjs';
import { say } from './terminal.mjs';

const COMMAND = 'redis-server';

/**
 * Makes sure that there is a redis-server for the tests of several processes, if one can be had.
 * Without one those tests are skipped, and counted as skipped.
 */
export async function provideRedis() {
  if (await canRun(COMMAND)) {
    return;
  }
  try {
    await installDebianPackage('Redis', COMMAND);
  } catch (error) {
    say(`  ${error.message}.`);
  }
  if (!(await canRun(COMMAND))) {
    say('  No redis-server can be had: the tests that need one are skipped.');
  }
}
