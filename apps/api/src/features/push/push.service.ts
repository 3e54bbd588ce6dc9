import {
  DAY_MS,
  FRIENDS,
  HOUR_MS,
  MINUTE_MS,
  type PushKind,
  type UserId,
} from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import type { ProcessContext } from '../../platform/context/index.ts';
import type { Device, PushEvent, PushRepository, Recipient } from './push.repository.ts';
import { createPushQueue } from './push-queue.ts';
import { createPushSender } from './push-sender.ts';
import { destinationOf } from './push-services.ts';

/** How long a notification of a kind is of use to a device that was offline. */
const USEFUL_MS: Readonly<Record<PushKind, number>> = {
  focusEnd: MINUTE_MS,
  breakEnd: MINUTE_MS,
  groupSession: 15 * MINUTE_MS,
  groupNudge: 3 * HOUR_MS,
  friendRequest: DAY_MS,
  friendInvitation: FRIENDS.invitationMinutes * MINUTE_MS,
  decision: DAY_MS,
};
/** Nothing is repeated for longer: jobs look back a minute. */
const CLAIMS_KEPT_MS = DAY_MS;
const CLAIMED_AT_ONCE = 500;

type PushParts = Pick<ProcessContext, 'env' | 'logger' | 'clock' | 'database' | 'authSecrets'>;

/** Notifications to devices, also with the page closed (decision 139). */
export function createPushService(context: PushParts, repository: PushRepository) {
  const { clock, env, logger } = context;
  const queue = createPushQueue(context);
  const sender = createPushSender(context);
  const claim = createBatcher<Recipient, Device[]>(
    (recipients) => repository.claim(recipients, clock.now()),
    CLAIMED_AT_ONCE,
  );

  async function tell(userId: UserId, event: PushEvent): Promise<void> {
    const devices = await claim({ userId, event });
    const { id: _id, ...message } = event;
    const usefulMs = USEFUL_MS[event.kind];
    await Promise.all(
      devices.map((device) => {
        const destination = destinationOf(device.endpoint, env.PUSH_SERVICES);
        // The setting may have changed since the device was added.
        if (destination === null) return repository.deleteEndpoint(device.endpoint);
        return queue.send({
          ...{ userId, ...destination, usefulMs },
          post: () => sender.post(device, message, usefulMs),
          onAnswer: (status) => settle(device, status),
        });
      }),
    );
  }

  async function settle({ endpoint }: Device, status: number): Promise<void> {
    if (status === 404 || status === 410) await repository.deleteEndpoint(endpoint);
    else if (status >= 300) logger.warn({ status }, 'a push service refused a notification');
  }

  return {
    /** Forgets the devices of ended log-ins: they are told nothing from the end on, and are deleted here. */
    forget: (sessionIds: readonly string[]) => repository.deleteDevices(sessionIds),

    /**
     * Notifies learners of an event on the devices for which they chose its kind, outside their quiet hours;
     * again at any process changes nothing. Nothing is repeated after a failure.
     * @returns when everything has been sent or dropped; failures are logged.
     */
    async send(userIds: readonly UserId[], event: PushEvent): Promise<void> {
      await Promise.all(userIds.map((userId) => tell(userId, event))).catch((error: unknown) =>
        logger.warn({ err: error, kind: event.kind }, 'could not send notifications'),
      );
    },

    /** Repeated. */
    deleteOld: () => repository.deleteSentBefore(new Date(clock.now().getTime() - CLAIMS_KEPT_MS)),

    close: queue.close,
  };
}

export type PushService = ReturnType<typeof createPushService>;
