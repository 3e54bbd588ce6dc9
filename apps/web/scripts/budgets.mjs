// Measures the gzipped JavaScript that each page of the last build needs, and fails where one is over
// its budget (design §8). Usage: node apps/web/scripts/budgets.mjs [dist folder]
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const dist = path.resolve(process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url)));
const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8'));

const APPLICATION = ['index.html'];
/** A logged-in learner gets the application on these pages too. */
const STATIC_PAGE = ['src/prerender/static-page.ts'];
/** Beside the application on every page of a logged-in learner. */
const LEARNER = 'src/app/learner-account.tsx';
/** Runs while the learner sits in a room; downloaded with the first room. */
const ROOM_PAGE = 'src/pages/study-room/study-room-page.tsx';
const ROOM = [
  'src/room/live/room-live.ts',
  'src/room/learner-room.tsx',
  'src/features/media/media-connection.ts',
];
/** Files that the whiteboard downloads when it is first opened, in addition to the room. */
const BOARD = ['src/room/panels/board-panel.tsx', 'src/features/board/excalidraw/surface.tsx'];
/** The entries of a page of the application: its code, and its texts beside the common ones. */
const entriesOf = (page, ...texts) => [
  ...APPLICATION,
  `src/pages/${page}`,
  ...['common', ...texts].map((name) => `src/shared/i18n/${name}.ko.json`),
];

/** Address, budget in KB, and the entries of the build that are downloaded to show it. */
const PAGES = [
  { address: '/, /terms, /privacy, 404', budgetKb: 60, entries: STATIC_PAGE },
  ...[
    ['/login', 'login/login-page.tsx'],
    ['/email-login', 'email-login/email-login-page.tsx'],
    ['/join', 'join/join-page.tsx'],
  ].map(([address, page]) => ({
    address,
    budgetKb: 130,
    entries: entriesOf(page),
  })),
  ...[
    ['/support', 'support/support-page.tsx', 'account'],
    ['/diagnostics', 'diagnostics/diagnostics-page.tsx', 'account'],
    ['/main', 'main/main-page.tsx', 'study'],
    ['/invite', 'invitation/invitation-page.tsx', 'invitation', 'room'],
    ['/friends, /friends/link', 'friends/friends-pages.ts', 'friends'],
    ['/groups, /groups/{groupId}, /groups/join', 'groups/groups-pages.ts', 'groups'],
    ['/mypage', 'mypage/my-page.tsx', 'account'],
    ['/statistics', 'statistics/statistics-page.tsx', 'statistics', 'study'],
    ['/plan', 'plan/plan-page.tsx', 'plan', 'room', 'statistics'],
    ['/settings', 'settings/settings-page.tsx', 'account'],
    ['/moderation', 'moderation/moderation-page.tsx', 'moderation'],
  ].map(([address, page, ...texts]) => ({
    address,
    budgetKb: 170,
    entries: [LEARNER, ...entriesOf(page, ...texts)],
  })),
  {
    address: '/studyroom/{roomId}',
    budgetKb: 330,
    entries: [LEARNER, ...entriesOf('study-room/study-room-page.tsx', 'room'), ...ROOM],
  },
  {
    address: 'the whiteboard',
    budgetKb: 340,
    entries: BOARD,
    beside: [...APPLICATION, LEARNER, ROOM_PAGE, ...ROOM],
  },
];

/** Every script that the entries load by static imports. All else is downloaded after the page is shown. */
function chunksOf(entries) {
  const found = new Set();
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the build has no ${key}`);
    if (found.has(key)) return;
    found.add(key);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  entries.forEach(visit);
  return [...found].map((key) => manifest[key].file).filter((file) => file.endsWith('.js'));
}

function gzippedKb(file) {
  return gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length / 1024;
}

let failures = 0;
for (const { address, budgetKb, entries, beside = [] } of PAGES) {
  const known = chunksOf(beside);
  const needed = ['theme.js', ...chunksOf(entries)];
  const files =
    beside.length > 0 ? needed.slice(1).filter((file) => !known.includes(file)) : needed;
  const kb = files.reduce((sum, file) => sum + gzippedKb(file), 0);
  const isOver = kb > budgetKb;
  if (isOver) failures += 1;
  const figure = `${kb.toFixed(1).padStart(6)} of ${String(budgetKb).padStart(3)} KB`;
  process.stdout.write(
    `${isOver ? 'OVER' : 'ok  '} ${figure}  ${files.length} files  ${address}\n`,
  );
}
process.exitCode = failures === 0 ? 0 : 1;
