import {
  addPushDevice,
  choosePush,
  getPushSettings,
  HOUR_MS,
  removePushDevice,
} from '@mogakgong/contract';
import type { AppContext } from '../sanctions/index.ts';
import { createPushRepository } from './push.repository.ts';
import { createPushService, type PushService } from './push.service.ts';
import { createPushSettings } from './push-settings.ts';

/** Notifications by Web Push, and the learners' choices of them. */
export function createPush(context: AppContext): PushService {
  const { http, jobs } = context;
  const repository = createPushRepository(context.database);
  const own = createPushSettings(context, repository);
  http.serve(getPushSettings, ({ caller }) => own.settings(caller));
  http.serve(choosePush, ({ caller, body }) => own.choose(caller, body));
  http.serve(addPushDevice, ({ caller, body }) => own.addDevice(caller, body));
  http.serve(removePushDevice, ({ caller }) => own.removeDevice(caller));

  const push = createPushService(context, repository);
  const run = () => push.deleteOld();
  jobs.add({ name: 'sent notifications', everyMs: HOUR_MS, runs: 'site', run });
  return push;
}
