import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * Proves that the rules of .dependency-cruiser.cjs are enforced: breaks each one on purpose in a tree of
 * small files, and fails unless every rule, and no allowed import, is reported.
 */
const root = path.resolve(import.meta.dirname, '..');
const config = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs'));

const api = 'apps/api/src';
const web = 'apps/web/src';
const empty = 'export const nothing = 0;\n';
const uses = (...targets) => targets.map((target) => `import '${target}';\n`).join('');

/** Every file with what it imports; the comment names the rule it breaks, if any. */
const files = {
  [`${api}/features/users/index.ts`]: uses('./users.service.ts'),
  [`${api}/features/users/users.repository.ts`]: empty,
  [`${api}/features/users/users.service.ts`]: uses('../auth/index.ts'), // no-circular
  [`${api}/features/auth/index.ts`]: uses('./auth.service.ts'),
  [`${api}/features/auth/auth.service.ts`]: uses(
    '../users/index.ts',
    '../users/users.repository.ts',
  ), // no-circular, feature-through-its-index
  [`${api}/features/rooms/index.ts`]: empty,
  [`${api}/features/rooms/deep.ts`]: uses('../../platform/http/deep.ts'), // features-use-platform-index
  [`${api}/features/images/index.ts`]: uses('sharp'), // no-sharp-in-the-api
  [`${api}/features/images/re-encode-process.ts`]: uses('sharp'), // allowed
  [`${api}/features/media/index.ts`]: uses('../users/index.ts', '../../platform/http/index.ts'), // allowed
  [`${api}/features/media/allowed.ts`]: uses('livekit-server-sdk'),
  [`${api}/platform/http/index.ts`]: empty,
  [`${api}/platform/http/deep.ts`]: empty,
  [`${api}/platform/mail/index.ts`]: uses('../http/deep.ts', '../../features/users/index.ts'), // platform-through-its-index, platform-knows-no-feature
  [`${api}/platform/mail/sdk.ts`]: uses('livekit-server-sdk'), // one-importer-of-livekit-server-sdk
  [`${web}/app/router.ts`]: empty,
  [`${web}/pages/main/main-page.ts`]: uses('../../features/auth/session.ts', '../../app/router.ts'), // web-pages-know-no-app
  [`${web}/features/auth/session.ts`]: uses('../media/room.ts', '../../app/router.ts'), // web-features-never-meet, web-flows-down
  [`${web}/features/media/room.ts`]: uses('livekit-client'),
  [`${web}/room/live/room-live.ts`]: uses(
    '../../pages/main/main-page.ts',
    '../../features/media/room.ts',
  ), // web-room-knows-no-page
  [`${web}/room/live/current-room.ts`]: uses('./room-live.ts'), // web-room-on-demand
  [`${web}/shared/ui/button.ts`]: uses('../../features/media/room.ts', 'livekit-client'), // web-shared-knows-no-feature, one-importer-of-livekit-client
  [`${web}/shared/ui/server.ts`]: uses('../../../../api/src/platform/http/index.ts'), // apps-do-not-meet
  'apps/stack/src/main.ts': uses(
    '../../../packages/stomp/src/index.ts',
    '../../api/src/platform/http/index.ts',
  ), // stack-knows-only-the-contract, apps-do-not-meet
  [`${api}/features/auth/double.ts`]: uses('../../../../../packages/social-double/src/index.ts'), // product-knows-no-double
  'apps/stack/src/social-logins.ts': uses('../../../packages/social-double/src/index.ts'), // allowed
  'packages/social-double/src/index.ts': empty,
  'packages/contract/src/index.ts': uses('../../../apps/api/src/platform/http/index.ts'), // packages-know-no-app
  'packages/stomp/src/index.ts': uses('../../contract/src/index.ts', './lost.ts'), // packages-do-not-meet, not-to-unresolvable
};

const allowed = [
  `${api}/features/images/re-encode-process.ts`,
  `${api}/features/media/index.ts`,
  `${api}/features/media/allowed.ts`,
  'apps/stack/src/social-logins.ts',
  `${web}/features/media/`,
];

async function plant(folder) {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  for (const name of ['livekit-server-sdk', 'livekit-client', 'sharp']) {
    const module = path.join(folder, 'node_modules', name);
    await mkdir(module, { recursive: true });
    await writeFile(path.join(module, 'package.json'), `{"name":"${name}","main":"index.js"}`);
    await writeFile(path.join(module, 'index.js'), '');
  }
  await cp(path.join(root, 'tsconfig.json'), path.join(folder, 'tsconfig.json'));
  await writeFile(path.join(folder, 'package.json'), '{"dependencies":{}}');
}

async function violationsIn(folder) {
  const program = path.join(root, 'node_modules', '.bin', 'depcruise');
  const args = [
    'apps',
    'packages',
    '--output-type',
    'json',
    '--config',
    path.join(root, '.dependency-cruiser.cjs'),
  ];
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout).summary.violations;
}

const folder = await mkdtemp(path.join(tmpdir(), 'import-canary-'));
try {
  await plant(folder);
  const violations = await violationsIn(folder);
  const reported = new Set(violations.map((violation) => violation.rule.name));
  const silent = config.forbidden.map((rule) => rule.name).filter((name) => !reported.has(name));
  const wrong = violations.filter(({ from }) => allowed.some((place) => from.startsWith(place)));
  for (const name of silent) console.error(`The rule ${name} did not report what breaks it.`);
  for (const { from, rule } of wrong)
    console.error(`${from} is allowed, yet ${rule.name} reports it.`);
  console.log(`${reported.size} of ${config.forbidden.length} import rules are enforced`);
  process.exitCode = silent.length + wrong.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
