import { join } from 'node:path';
import { installDependencies } from './install.mjs';
import { provideMediaServer } from './media-server-binary.mjs';
import { requireNode } from './node-version.mjs';
import { cache } from './places.mjs';

/**
 * Everything that must be there before the product can run, as far as it is not there yet.
 * @returns {Promise<NodeJS.ProcessEnv>} the environment for the API
 */
export async function prepareStack() {
  requireNode();
  await installDependencies();
  const mediaServer = await provideMediaServer();
  return {
    // Node.js keeps here what it compiled, for the next start.
    NODE_COMPILE_CACHE: join(cache, 'compiled'),
    ...process.env,
    ...(mediaServer !== undefined && { MEDIA_SERVER_BINARY: mediaServer }),
  };
}
