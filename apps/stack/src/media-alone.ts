import { readStackEnv } from './env.ts';
import { createLogger } from './logger.ts';
import { startMediaServer } from './media-server/index.ts';

/**
 * Entry point of `media` in the image: a media server behind its guard, for an API in another container or on another
 * machine, to which it reports at PUBLIC_URL. SIGINT and SIGTERM stop it.
 */
async function main(): Promise<void> {
  const { mediaServerBinary: binaryPath, mediaKeys: keys, publicUrl, ...env } = readStackEnv();
  if (!(binaryPath && keys && publicUrl)) {
    throw new Error(
      'A media server by itself needs MEDIA_SERVER_BINARY, LIVEKIT_API_KEY, LIVEKIT_API_SECRET and PUBLIC_URL.',
    );
  }
  const server = await startMediaServer({
    binaryPath,
    dataDir: env.dataDir,
    webhookUrl: new URL('/livekit/webhook', publicUrl).href,
    reach: { address: env.mediaAddress, host: env.host, turn: env.turn },
    keys,
    logger: createLogger(env.logLevel),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.stop().then(() => process.exit(0)));
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`✗ ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
