import { vi } from 'vitest';

/**
 * Media connections neither open nor fail, as behind a network that drops packets, until the end of the test.
 * Returns a function that counts the page's open connections.
 */
export function stubSilentNetwork(): () => number {
  const open = new Set<EventTarget>();
  vi.stubGlobal(
    'RTCPeerConnection',
    class {
      addTransceiver() {}
    },
  );
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      constructor() {
        super();
        open.add(this);
      }
      close() {
        open.delete(this);
      }
    },
  );
  return () => open.size;
}
