import type { Backplane } from '../../platform/backplane/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { UsersService } from '../users/index.ts';
import { BlockedPairs } from './blocked-pairs.ts';
import { createBlocksRepository } from './blocks.repository.ts';
import { serveBlocks } from './blocks.routes.ts';
import { createBlocksService } from './blocks.service.ts';

const COMPARE_EVERY_MS = 2_000;

interface BlocksParts {
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly users: UsersService;
  readonly database: Database;
  readonly backplane: Backplane;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Blocks between learners, and their effects on connected ones. */
export function createBlocks(parts: BlocksParts) {
  const { http, jobs, database } = parts;
  const repository = createBlocksRepository(database);
  const pairs = new BlockedPairs({ ...parts, repository });
  jobs.add({
    name: 'blocks of the connected',
    everyMs: COMPARE_EVERY_MS,
    runs: 'process',
    run: () => pairs.refresh(),
  });
  const blocks = createBlocksService({ ...parts, repository, pairs });
  serveBlocks(http, blocks);
  return { blocks, pairs };
}
