// Measures the gzipped JavaScript that each page of the last build needs, and fails where one is over
// its budget (design §8). Usage: node apps/web/scripts/budgets.mjs [dist folder]
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const dist = path.resolve(process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url)));
const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8'));

const STATIC_PAGE = ['src/prerender/static-page.ts'];
const APPLICATION = ['index.html'];
/** A logged-in learner is redirected from the pages for visitors, which show nothing of this. */
const LEARNERS_ONLY = ['src/app/learner-account.tsx'];
/** Runs while the learner sits in a room; downloaded with the first room. */
const ROOM_PAGE = 'src/pages/study-room/study-room-page.tsx';
const ROOM = ['src/room/room-live.ts', 'src/room/learner-room.tsx'];
/** Files that the whiteboard downloads when it is first opened, in addition to the room. */
const BOARD = ['src/pages/study-room/board-panel.tsx', 'src/features/board/excalidraw/surface.tsx'];
/** Address, budget in KB, and the entries of the build that are downloaded to show it. */
const PAGES = [
  { address: '/', budgetKb: 60, entries: STATIC_PAGE },
  { address: '/terms, /privacy, 404', budgetKb: 60, entries: STATIC_PAGE },
  ...[
    ['/login', 130, 'src/pages/login/login-page.tsx', LEARNERS_ONLY],
    ['/email-login', 130, 'src/pages/email-login/email-login-page.tsx', LEARNERS_ONLY],
    ['/join', 130, 'src/pages/join/join-page.tsx', LEARNERS_ONLY],
    ['/support', 170, 'src/pages/support/support-page.tsx'],
    ['/diagnostics', 170, 'src/pages/diagnostics/diagnostics-page.tsx'],
    ['/main', 170, 'src/pages/main/main-page.tsx'],
    ['/invite', 170, 'src/pages/invitation/invitation-page.tsx'],
    ['/friends, /friends/link', 170, 'src/pages/friends/friends-pages.ts'],
    ['/mypage', 170, 'src/pages/mypage/my-page.tsx'],
    ['/statistics', 170, 'src/pages/statistics/statistics-page.tsx'],
    ['/settings', 170, 'src/pages/settings/settings-page.tsx'],
    ['/moderation', 170, 'src/pages/moderation/moderation-page.tsx'],
    ['/studyroom/{roomId}', 330, ROOM_PAGE, [], ROOM],
  ].map(([address, budgetKb, page, leftOut = [], more = []]) => ({
    address,
    budgetKb,
    leftOut,
    entries: [...APPLICATION, page, ...more, 'src/shared/i18n/ko.json'],
  })),
  {
    address: 'the whiteboard',
    budgetKb: 340,
    entries: BOARD,
    beside: [...APPLICATION, ROOM_PAGE, ...ROOM],
  },
];

/**
 * Downloads started by a press, a won title, a goal, a schedule, a nod, a friend request, a sanction, a
 * missing picture, a failing camera, an error, the board, subjects on the statistics page, navigation to
 * another page or language, or that replace the page: they are not needed to show the page.
 */
const ON_DEMAND = [
  'src/pages/',
  'src/shared/i18n/',
  'src/room/enter-dialog.tsx',
  'src/features/blocks/block-actions.ts',
  'src/features/media/blur/',
  'src/features/media/camera-steps.tsx',
  'src/features/media/connection-path.ts',
  'src/features/auth/reauthentication-dialog.tsx',
  'src/features/auth/password-form.tsx',
  'src/features/profile/change-picture.ts',
  'src/features/profile/crop-dialog.tsx',
  'src/features/profile/email-form.tsx',
  'src/features/profile/nickname-form.tsx',
  'src/features/auth/second-factor-dialog.tsx',
  'src/features/auth/passkeys.ts',
  'src/features/auth/passkey-rename-form.tsx',
  'src/features/auth/recovery-codes-dialog.tsx',
  'src/features/reports/own-reports.ts',
  'src/features/statistics/subjects-panel.tsx',
  'src/features/titles/other-titles.tsx',
  'src/features/titles/sample-titles.tsx',
  'src/features/titles/title-icon.tsx',
  'src/features/titles/title-names.ts',
  'src/features/titles/titles-section.tsx',
  'src/features/titles/won-titles.tsx',
  'src/features/chat/chat-panel.tsx',
  'src/features/goals/tile-goal.tsx',
  'src/features/friends/in-room.ts',
  'src/features/hosting/camera-notices.ts',
  'src/features/hosting/open-room-dialog.tsx',
  'src/features/focus/shortcuts-help.tsx',
  'src/features/pomodoro/',
  'src/features/sanctions/sanction-dialog.tsx',
  'src/features/sanctions/sanction-note.tsx',
  'src/features/board/',
  'src/room/own-picture.ts',
  'src/room/small-bar.tsx',
  'src/room/nods.ts',
  'src/shared/lib/report-error.ts',
  'src/shared/ui/desk.tsx',
  'src/shared/ui/menu-list.tsx',
  ...ROOM,
];
const isOnDemand = (key) => ON_DEMAND.some((start) => key.startsWith(start));

/** Every chunk that the entries load: static imports, and dynamic ones that are not on demand. */
function chunksOf(entries, leftOut = []) {
  const found = new Set();
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the build has no ${key}`);
    if (found.has(key)) return;
    found.add(key);
    for (const imported of chunk.imports ?? []) visit(imported);
    for (const imported of chunk.dynamicImports ?? [])
      if (!isOnDemand(imported) && !leftOut.includes(imported)) visit(imported);
  };
  entries.forEach(visit);
  return [...found].map((key) => manifest[key].file).filter((file) => file.endsWith('.js'));
}

function gzippedKb(file) {
  return gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length / 1024;
}

let failures = 0;
for (const { address, budgetKb, entries, leftOut, beside = [] } of PAGES) {
  const known = chunksOf(beside);
  const needed = ['theme.js', ...chunksOf(entries, leftOut)];
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
