import type { Page } from '@playwright/test';

interface Connections {
  mediaConnections: RTCPeerConnection[];
}

/** From now on the page's media connections can be measured; call it before a room is entered. */
export async function keepConnections(page: Page): Promise<void> {
  await page.evaluate(() => {
    const mediaConnections: RTCPeerConnection[] = [];
    Object.assign(globalThis, { mediaConnections });
    globalThis.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        mediaConnections.push(this);
      }
    };
  });
}

/** Runs in the page: bytes of pictures received so far, with their headers. */
async function receivedBytes(): Promise<number> {
  const { mediaConnections } = globalThis as unknown as Connections;
  let bytes = 0;
  for (const connection of mediaConnections) {
    for (const stats of (await connection.getStats()).values()) {
      if (stats.type === 'inbound-rtp') bytes += stats.bytesReceived + stats.headerBytesReceived;
    }
  }
  return bytes;
}

const MEASURED_MS = 2_000;

/** What the pictures of a page cost now. */
export async function downloadedKbitPerSecond(page: Page): Promise<number> {
  const before = await page.evaluate(receivedBytes);
  await new Promise((resolve) => setTimeout(resolve, MEASURED_MS));
  return ((await page.evaluate(receivedBytes)) - before) * (8 / MEASURED_MS);
}
