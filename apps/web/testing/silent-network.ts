import { vi } from 'vitest';

/** Media connections neither open nor fail, as behind a network that drops packets; until globals are unstubbed. */
export function stubSilentNetwork(): void {
  vi.stubGlobal(
    'RTCPeerConnection',
    class {
      addTransceiver() {}
    },
  );
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      close() {}
    },
  );
}
