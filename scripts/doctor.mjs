import { checkMediaReach } from './doctor/media-reach.mjs';
import { checkInstance, checkPorts, checkReach, findInstance } from './doctor/network.mjs';
import { checkChromium, checkMediaServer, checkPostgres, checkTools } from './doctor/programs.mjs';
import { checkBackups, checkDataDir, checkEnvironment } from './doctor/settings.mjs';
import { readEnvFile } from './stack/env-file.mjs';
import { version } from './stack/places.mjs';
import { say } from './stack/terminal.mjs';

const SIGNS = { ok: '✓', note: '·', problem: '✗' };

readEnvFile();
const instance = await findInstance();
const sections = {
  Programs: [
    ...(await checkTools()),
    await checkPostgres(),
    await checkMediaServer(),
    ...(await checkChromium()),
  ],
  Settings: [...(await checkEnvironment()), ...(await checkDataDir()), ...(await checkBackups())],
  Running: checkInstance(instance),
  Network: [
    ...(await checkPorts(instance)),
    ...(await checkReach(instance)),
    ...(await checkMediaReach(instance)),
  ],
};

say(`Mogakgong ${version}`);
let problems = 0;
for (const [title, findings] of Object.entries(sections)) {
  say(`\n${title}`);
  for (const { level, text, fix } of findings) {
    problems += level === 'problem' ? 1 : 0;
    say(`  ${SIGNS[level]} ${text}${fix === undefined ? '' : `\n      → ${fix}`}`);
  }
}
say(problems === 0 ? '\nNo problems found.' : `\n${problems} problem(s) to solve: see → above.`);
process.exitCode = problems === 0 ? 0 : 1;
