import { ECDH } from 'node:crypto';
import type { addPushDevice, PushChoice, PushSettings, RouteInput } from '@mogakgong/contract';
import { isForeignKeyBroken } from '../../platform/database/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { PushRepository } from './push.repository.ts';
import { readPushKeys } from './push-keys.ts';
import { destinationOf } from './push-services.ts';

/** The learners' choices of notifications, and their devices. */
export function createPushSettings(context: AppContext, repository: PushRepository) {
  const { checkedClock, env } = context;

  async function settings({ userId, sessionId }: Caller): Promise<PushSettings> {
    const [stored, [{ publicKey }]] = await Promise.all([
      repository.findSettings(userId, sessionId),
      readPushKeys(context),
    ]);
    return { ...stored, publicKey };
  }

  return {
    settings,

    async choose(caller: Caller, choice: PushChoice): Promise<PushSettings> {
      await repository.storeChoice(caller.userId, choice);
      return settings(caller);
    },

    /** @throws ApiError `pushRefused` for an address of no push service, or keys of no use; `clockWrong`. */
    async addDevice(
      caller: Caller,
      { endpoint, publicKey, ...given }: RouteInput<typeof addPushDevice>['body'],
    ): Promise<PushSettings> {
      const [p256dh, auth] = [given.p256dh, given.auth].map((text) =>
        Buffer.from(text, 'base64url'),
      );
      const key = (await readPushKeys(context)).find((each) => each.publicKey === publicKey);
      if (!key || !p256dh || !auth || !isPoint(p256dh)) throw new ApiError('pushRefused');
      if (destinationOf(endpoint, env.PUSH_SERVICES) === null) throw new ApiError('pushRefused');
      const device = { sessionId: caller.sessionId, endpoint, p256dh, auth, keyNumber: key.number };
      await repository
        .storeDevice(caller.userId, device, checkedClock.now())
        .catch((cause: unknown) => {
          // The log-in has been deleted meanwhile.
          throw isForeignKeyBroken(cause) ? new ApiError('unauthorized', { cause }) : cause;
        });
      return settings(caller);
    },

    async removeDevice(caller: Caller): Promise<PushSettings> {
      await repository.deleteDevices([caller.sessionId]);
      return settings(caller);
    },
  };
}

/** Whether bytes are a public key of P-256. */
function isPoint(bytes: Buffer): boolean {
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}
