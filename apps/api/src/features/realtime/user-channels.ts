import type { UserId } from '@mogakgong/contract';
import type { Backplane } from '../../platform/backplane/index.ts';
import type { RealtimeHub } from '../../platform/realtime/index.ts';

/**
 * A channel of the backplane for each learner, subscribed by the processes with their connections.
 * @param name distinguishes these channels from others of the same learner.
 * @returns publishes to every process with a connection of a learner, and to no other.
 */
export function createUserChannels(
  { hub, backplane }: { readonly hub: RealtimeHub; readonly backplane: Backplane },
  name: string,
  receive: (userId: UserId, payload: string) => void,
): (userId: UserId, payload: string) => void {
  const stops = new Map<UserId, () => void>();
  const channelOf = (userId: UserId) => `${name}:${userId}`;
  hub.onArrival((userId) => {
    const stop = backplane.subscribe(channelOf(userId), (payload) => receive(userId, payload));
    stops.set(userId, stop);
  });
  hub.onDeparture((userId) => {
    stops.get(userId)?.();
    stops.delete(userId);
  });
  return (userId, payload) => backplane.publish(channelOf(userId), payload);
}
