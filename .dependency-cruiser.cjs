/** The import rules of ARCHITECTURE.md, by pattern, so that they also apply to new folders. */
const api = '^apps/api/src/features/';
const web = '^apps/web/src/features/';

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule(
      'no-circular',
      // An index.ts reaches every file of its feature, so this is also every cycle of features.
      'Modules must not import each other in a cycle, nor may features.',
      {},
      { circular: true },
    ),
    rule(
      'feature-through-its-index',
      'Another feature is used through its index.ts only, or is one file.',
      { path: `${api}([^/]+?)(/|(\\.test)?\\.ts$)` },
      { path: api, pathNot: [`${api}$1[/.]`, '/index\\.ts$', `${api}[^/]+\\.ts$`] },
    ),
    rule(
      'platform-knows-no-feature',
      'The platform serves features and does not import them.',
      { path: '^apps/api/src/platform/', pathNot: '\\.test\\.ts$' },
      { path: '^apps/api/src/(features|[^/]+\\.ts$)' },
    ),
    rule(
      'platform-through-its-index',
      'A part of the platform is used through its index.ts.',
      { path: '^apps/api/src/platform/([^/]+)/' },
      { path: '^apps/api/src/platform/', pathNot: ['^apps/api/src/platform/$1/', '/index\\.ts$'] },
    ),
    rule(
      'features-use-platform-index',
      'A part of the platform is used through its index.ts.',
      { path: api },
      { path: '^apps/api/src/platform/', pathNot: '/index\\.ts$' },
    ),
    rule(
      'web-features-never-meet',
      'Pages and the room compose features; features do not import each other.',
      { path: `${web}([^/]+)/` },
      { path: web, pathNot: `${web}$1/` },
    ),
    rule(
      'web-flows-down',
      'app → pages → room → features → shared, never upwards.',
      { path: '^apps/web/src/(features|shared)/' },
      { path: '^apps/web/src/(app|pages|room)/' },
    ),
    rule(
      'web-room-knows-no-page',
      'The room goes on whatever page is shown.',
      { path: '^apps/web/src/room/' },
      { path: '^apps/web/src/(app|pages)/' },
    ),
    rule(
      'web-room-on-demand',
      'What a room needs is downloaded with the first room: others import its type, or load it.',
      {
        path: '^apps/web/src/',
        pathNot: ['^apps/web/src/room/live/room-live\\.ts$', '\\.test\\.tsx?$'],
      },
      {
        path: '^apps/web/src/(room/live/room-live|features/media/room)\\.ts$',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    ),
    rule(
      'web-pages-know-no-app',
      'A page does not import the application around it.',
      { path: '^apps/web/src/pages/' },
      { path: '^apps/web/src/app/' },
    ),
    rule(
      'web-shared-knows-no-feature',
      'Shared code does not import its users.',
      { path: '^apps/web/src/shared/' },
      { path: web },
    ),
    rule(
      'apps-do-not-meet',
      'Applications share packages, not sources.',
      { path: '^apps/([^/]+)/' },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    rule(
      'stack-knows-only-the-contract',
      'apps/stack runs the product from outside: it knows processes, URLs and secrets.',
      { path: '^apps/stack/' },
      { path: '^packages/', pathNot: '^packages/(contract|social-double)/' },
    ),
    rule(
      'product-knows-no-double',
      'Only the stack and tests use the development double of the log-in providers.',
      { path: '^apps/(api|web)/src/', pathNot: '\\.test\\.ts$' },
      { path: '^packages/social-double/' },
    ),
    rule(
      'packages-know-no-app',
      'A package does not depend on applications.',
      { path: '^packages/' },
      { path: '^apps/' },
    ),
    rule(
      'packages-do-not-meet',
      'Packages do not depend on each other.',
      { path: '^packages/([^/]+)/' },
      { path: '^packages/', pathNot: '^packages/$1/' },
    ),
    rule(
      'one-importer-of-livekit-server-sdk',
      'Only features/media talks to the media server.',
      { path: '^apps/api/', pathNot: [`${api}media/`] },
      { path: 'node_modules/(livekit-server-sdk|@livekit/protocol)' },
    ),
    rule(
      'one-importer-of-livekit-client',
      'Only features/media uses LiveKit in the browser.',
      { path: '^apps/web/', pathNot: [`${web}media/`] },
      { path: 'node_modules/livekit-client' },
    ),
    rule(
      'no-sharp-in-the-api',
      'A decoder of pictures runs in a process of its own, which a hostile picture may end.',
      {
        path: '^apps/api/src/',
        pathNot: [`${api}images/re-encode-process\\.ts$`, '\\.test\\.ts$'],
      },
      { path: ['node_modules/sharp', `${api}images/re-encode-process\\.ts$`] },
    ),
    rule(
      'not-to-unresolvable',
      'An import that cannot be resolved.',
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '^media/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'production', 'default', 'types'],
    },
  },
};
