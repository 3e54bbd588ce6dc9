import type { Page } from '@playwright/test';

/** Where `keepConnections` keeps them. */
export interface KeepingWindow {
  readonly connections: readonly RTCPeerConnection[];
}

/** Runs in the page: from now on it keeps its media connections, to read what they carry. */
export function keepConnections(): void {
  const connections: RTCPeerConnection[] = [];
  Object.assign(globalThis, { connections });
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      connections.push(this);
    }
  };
}

/** Runs in the page: bytes that its connections have received so far, with their headers. */
export async function receivedBytes(): Promise<{ audio: number; video: number }> {
  const { connections } = globalThis as unknown as KeepingWindow;
  const received = { audio: 0, video: 0 };
  for (const connection of connections) {
    for (const stats of (await connection.getStats()).values()) {
      if (stats.type !== 'inbound-rtp') continue;
      received[stats.kind as 'audio' | 'video'] += stats.bytesReceived + stats.headerBytesReceived;
    }
  }
  return received;
}

const MEASURED_MS = 2_000;

/** What the pictures of a page cost now. */
export async function downloadedKbitPerSecond(page: Page): Promise<number> {
  const before = await page.evaluate(receivedBytes);
  await new Promise((resolve) => setTimeout(resolve, MEASURED_MS));
  const { video } = await page.evaluate(receivedBytes);
  return (video - before.video) * (8 / MEASURED_MS);
}
