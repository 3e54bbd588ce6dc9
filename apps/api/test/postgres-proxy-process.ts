import { createPostgresProxy } from './postgres-proxy.ts';

/** A proxy in a separate process, possibly in a separate network; it ends with its parent. */
const target = JSON.parse(process.argv[2] ?? '');
const { connection } = await createPostgresProxy(target, '0.0.0.0');
process.stdout.write(`${connection.port}\n`);
process.stdin.on('end', () => process.exit()).resume();
