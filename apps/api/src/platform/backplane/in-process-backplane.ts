import { type Backplane, LocalChannels } from './backplane.ts';

/** The backplane of a site with one process: everything is delivered at once. */
export function createInProcessBackplane(): Backplane {
  const channels = new LocalChannels();
  return {
    state: 'whole',
    publish: (channel, payload) => channels.deliver(channel, payload),
    subscribe(channel, handler) {
      channels.add(channel, handler);
      return () => void channels.remove(channel, handler);
    },
    onState: () => undefined,
    close: async () => undefined,
  };
}
