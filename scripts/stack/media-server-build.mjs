import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, root } from './places.mjs';
import { CommandError, run } from './run.mjs';

const PACKAGE = 'github.com/livekit/livekit-server/cmd/server';

/**
 * Builds livekit-server from `media/`, whose go.sum names the content of every module.
 * @param {string} go the Go command
 * @param {string} target where the program is written
 * @param {{ownCaches: boolean, goarch?: string}} options own caches are removed after a good build, and kept after
 *   a failed one so that the next try continues from there; goarch builds for Linux on another processor
 * @throws with the compiler's last lines
 */
export async function buildMediaServer(go, target, progress, { ownCaches, goarch }) {
  const caches = join(cache, 'go-build');
  const env = {
    ...process.env,
    ...(goarch !== undefined && { GOOS: 'linux', GOARCH: goarch }),
    CGO_ENABLED: '0',
    GOTOOLCHAIN: 'local',
    GOWORK: 'off',
    GOFLAGS: '-mod=readonly -modcacherw -buildvcs=false',
    ...(ownCaches
      ? { GOMODCACHE: join(caches, 'mod'), GOCACHE: join(caches, 'objects'), GOENV: 'off' }
      : {}),
  };
  let modules = 0;
  let packages = 0;
  try {
    await run(go, ['build', '-v', '-trimpath', '-ldflags', '-s -w', '-o', target, PACKAGE], {
      cwd: join(root, 'media'),
      env,
      onLine: (line) => {
        if (line.startsWith('go: downloading')) {
          modules += 1;
        } else if (!line.includes(' ')) {
          packages += 1;
        }
        progress(`about 2 minutes once; ${modules} modules, ${packages} packages`);
      },
    });
  } catch (error) {
    if (!(error instanceof CommandError)) {
      throw error;
    }
    const words = error.lines.filter(
      (line) => line.includes(' ') && !line.startsWith('go: downloading'),
    );
    throw new Error(`the build from media/ failed: ${words.at(-1) ?? error.message}`);
  }
  if (ownCaches) {
    await rm(caches, { recursive: true, force: true });
  }
}
