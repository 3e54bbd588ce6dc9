import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Env } from '../../platform/env/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import type { FocusService } from '../focus/index.ts';
import type { Media } from '../media/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import { createAdmissionsRepository } from './admissions.repository.ts';
import { createAdmissionsService } from './admissions.service.ts';
import { createCameraRuleRepository } from './camera-rule.repository.ts';
import { CameraRule } from './camera-rule.ts';
import { createHostingRepository } from './hosting.repository.ts';
import { serveHosting } from './hosting.routes.ts';
import { HostingService } from './hosting.service.ts';
import { createRoomEndsRepository } from './room-ends.repository.ts';

const SWEEP_EVERY_MS = 10_000;
/** Maximum delay until focus resumes after the camera is back. */
const CHECK_CAMERAS_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 60 * 60_000;

interface HostingParts {
  readonly env: Env;
  readonly database: Database;
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly checkedClock: Clock;
  readonly rooms: RoomsService;
  readonly media: Pick<Media, 'findCameras'>;
  readonly notices: Notices;
  readonly focus: FocusService;
  readonly sanctions: SanctionsService;
}

/** Rooms that learners open, and admission to them. */
export function createHosting(parts: HostingParts): HostingService {
  const { env, database, http, jobs, rooms, notices, checkedClock: clock } = parts;
  const repository = createHostingRepository(database);
  const ends = createRoomEndsRepository(database);
  const { standing } = parts.sanctions;
  const capacity = env.ROOM_CAPACITY;
  const hosting = new HostingService({
    ...{ repository, ends, rooms, notices },
    ...{ standing, clock, capacity },
  });
  const admissions = createAdmissionsService({
    repository: createAdmissionsRepository(database),
    hosting,
    rooms,
    notices,
    clock,
  });
  jobs.add({
    name: 'hosted rooms',
    everyMs: SWEEP_EVERY_MS,
    runs: 'site',
    run: () => Promise.all([hosting.sweep(), admissions.endOld()]),
  });
  const cameraRule = new CameraRule({
    ...{ ...parts, clock },
    repository: createCameraRuleRepository(database),
    findCameras: parts.media.findCameras,
  });
  serveHosting(http, hosting, admissions, cameraRule);
  jobs.add({
    name: 'camera rule',
    everyMs: CHECK_CAMERAS_EVERY_MS,
    runs: 'site',
    run: () => cameraRule.check(),
  });
  jobs.add({
    name: 'ended hosted rooms',
    everyMs: FORGET_EVERY_MS,
    runs: 'site',
    run: () => hosting.deleteOld(),
  });
  return hosting;
}
