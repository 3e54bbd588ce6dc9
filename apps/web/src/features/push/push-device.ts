import { addPushDevice, type PushSettings, removePushDevice } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';

/** Why this browser cannot get notifications; `install`: on iOS only the installed application can. */
export type PushObstacle = 'unsupported' | 'install' | 'denied';

/** Without an obstacle the browser may still ask the learner. */
export function pushObstacle(): PushObstacle | null {
  if ('PushManager' in window && 'serviceWorker' in navigator && import.meta.env.PROD) {
    return Notification.permission === 'denied' ? 'denied' : null;
  }
  const isIos = /iPhone|iPad/u.test(navigator.userAgent) || navigator.maxTouchPoints > 1;
  return isIos && 'standalone' in navigator ? 'install' : 'unsupported';
}

/** The browser asks the learner: at once in their press, later Safari and Firefox refuse by themselves. */
export const askPermission = async () => (await Notification.requestPermission()) === 'granted';

/**
 * Subscribes this browser, which has the permission, to the site and tells the server.
 * @throws ApiError where the server did not take it.
 */
export async function turnOnHere({ publicKey }: PushSettings): Promise<PushSettings> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = await pushManager.subscribe(options).catch(async () => {
    // One for an earlier key of the site is in the way.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  return call(addPushDevice, { body: { endpoint, p256dh, auth, publicKey } });
}

/** Notifications come to this browser no more. @throws ApiError */
export function turnOffHere(): Promise<PushSettings> {
  return call(removePushDevice, {});
}
