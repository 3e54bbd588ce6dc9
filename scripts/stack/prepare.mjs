import { installDependencies } from './install.mjs';
import { provideMediaServer } from './media-server-binary.mjs';
import { requireNode } from './node-version.mjs';

/**
 * Everything that must be there before the product can run, as far as it is not there yet.
 * @returns {Promise<NodeJS.ProcessEnv>} the environment for the API
 */
export async function prepareStack() {
  requireNode();
  await installDependencies();
  const mediaServer = await provideMediaServer();
  return mediaServer === undefined
    ? process.env
    : { ...process.env, MEDIA_SERVER_BINARY: mediaServer };
}
