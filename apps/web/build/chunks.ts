/** The part of the bundler's module graph that is used here. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null;
}

/** The script of prerendered pages: what it shares with the application is one chunk. */
const STATIC_PAGE = '/src/prerender/static-page.ts';
/** Entry modules that start a download of their own. A module goes to the first of them that imports it. */
const STARTS = [
  { file: '/src/main.tsx', chunk: 'app' },
  { file: '/src/app/learner-account.tsx', chunk: 'learner' },
] as const;

/**
 * The room page and the code that keeps running above other pages. What they share with each other and with
 * panels becomes one chunk; otherwise the bundler makes one for each set of panels that uses a module, thirty
 * in all.
 */
const ROOM_STARTS = ['/src/pages/study-room/study-room-page.tsx', '/src/room/learner-room.tsx'];
/** Pages that work without a room. The developer pages are not part of the product. */
const OTHER_PAGES = /\/src\/pages\/(?!study-room|developer)/u;

/** Most learners come to the room from here. */
const START_PAGE = /\/src\/pages\/main\//u;

/** They download nothing that only logged-in learners need. */
const VISITOR_PAGES = /\/src\/pages\/(?:email-login|join|login|password-reset|second-factor)\//u;

/** The contract has one index: only the bundler knows which of its modules an importer uses. */
const CONTRACT = '/packages/contract/src/';
/**
 * Modules of the contract that many places use are one chunk: as forty small files they cost `/main` 2.5 KB more,
 * and a request each.
 */
export const contractChunk = { name: 'contract', test: CONTRACT, minShareCount: 12 };
/** The lists of all icons. An icon imported by its own path does not belong to them. */
const ICON_LISTS = /\/lucide-react\/dist\/esm\/(?:lucide-react|icons\/index)\.mjs$/u;

/**
 * Names the chunk of a module that is always downloaded together with others: one file compresses better than
 * thirty and costs one request. Null leaves the choice to the bundler. Libraries are kept apart from code
 * that changes with every release; the contract needs them before `app` has run.
 */
export function chunkOf(id: string, graph: ModuleGraph): string | null {
  if (id.includes(CONTRACT) || id.endsWith('.html')) return null;
  const ownChunks = [STATIC_PAGE, ...STARTS.map(({ file }) => file), ...ROOM_STARTS];
  if (ownChunks.some((file) => id.endsWith(file))) return null;
  const importers = importersOf(id, graph);
  const isReachedFrom = (file: string) => importers.some((each) => each.endsWith(file));
  const start = STARTS.find(({ file }) => isReachedFrom(file));
  if (start?.chunk === 'learner' && importers.some((each) => VISITOR_PAGES.test(each))) return null;
  if (isReachedFrom(STATIC_PAGE)) return start ? 'start' : null;
  if (!start) return ROOM_STARTS.some(isReachedFrom) ? roomChunkOf(importers) : null;
  return start.chunk === 'app' && id.includes('/node_modules/') ? 'libraries' : start.chunk;
}

/** The chunk of a module that the room needs: its own, or one with the start page, which leads to it. */
function roomChunkOf(importers: readonly string[]): string | null {
  const others = importers.filter((each) => OTHER_PAGES.test(each));
  if (others.length === 0) return 'room';
  return others.every((each) => START_PAGE.test(each)) ? 'start-page' : null;
}

/** Every module that imports this one, directly or through others. */
function importersOf(id: string, graph: ModuleGraph): readonly string[] {
  const found = new Set([id]);
  for (const module of found) {
    const importers = graph.getModuleInfo(module)?.importers ?? [];
    const direct = importers.filter((importer) => !ICON_LISTS.test(importer));
    for (const importer of direct.length > 0 ? direct : importers) {
      if (!importer.endsWith(`${CONTRACT}index.ts`)) found.add(importer);
    }
  }
  return [...found];
}
