import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import type { BlocksService } from '../blocks/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import type { UsersService } from '../users/index.ts';
import { createFriendsRepository, endAll } from './friends.repository.ts';
import { serveFriends } from './friends.routes.ts';
import { FriendsService } from './friends.service.ts';

const FORGET_REQUESTS_EVERY_MS = 60 * 60_000;

interface FriendsParts {
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly database: Database;
  readonly users: UsersService;
  readonly rooms: RoomsService;
  readonly blocks: BlocksService;
  readonly notices: Notices;
  readonly sanctions: SanctionsService;
  readonly checkedClock: Clock;
}

/** Friendships and requests. */
export function createFriends(parts: FriendsParts): void {
  const { http, jobs, blocks } = parts;
  const repository = createFriendsRepository(parts.database);
  const friends = new FriendsService({ ...parts, repository, clock: parts.checkedClock });
  serveFriends(http, friends);
  blocks.addBlockStep(endAll);
  jobs.add({
    name: 'lapsed friend requests',
    everyMs: FORGET_REQUESTS_EVERY_MS,
    runs: 'site',
    run: () => friends.deleteLapsed(),
  });
}
