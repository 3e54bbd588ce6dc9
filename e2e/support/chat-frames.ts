import type { Page } from '@playwright/test';

/** The page's realtime socket, and its subscription to the chat. */
interface ChatSocket {
  readonly socket: WebSocket;
  readonly subscription: string;
}

declare global {
  interface Window {
    chatSocket?: ChatSocket;
  }
}

/** Before the page loads: lets `deliverMessages` send as the server. */
export async function watchChatSocket(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.WebSocket = class extends WebSocket {
      override send(data: string | Blob | BufferSource): void {
        const frame = String(data);
        if (frame.startsWith('SUBSCRIBE') && frame.includes('destination:/topic/messages')) {
          const subscription = /^id:(.*)$/mu.exec(frame)?.[1] ?? '';
          window.chatSocket = { socket: this, subscription };
        }
        super.send(data);
      }
    };
  });
}

interface Delivery {
  readonly roomId: number;
  readonly epoch: number;
  /** Number of the first message. */
  readonly from: number;
  readonly count: number;
  /** All at once unless given. */
  readonly perSecond?: number;
}

/**
 * Delivers messages of twenty learners to the page as MESSAGE frames on its own socket, as if the
 * server had sent them: the limits of a learner would let so many pass only in minutes.
 */
export function deliverMessages(page: Page, delivery: Delivery): Promise<void> {
  return page.evaluate(async ({ roomId, epoch, from, count, perSecond }) => {
    const chat = window.chatSocket;
    if (chat === undefined) throw new Error('the page has not subscribed to the chat');
    const deliver = (number: number) => {
      const body = JSON.stringify({
        senderId: 1_000_000 + (number % 20),
        roomId,
        content: `${number}번째 메시지입니다. ${'말이 이어집니다. '.repeat(number % 5)}`,
        timestamp: new Date().toISOString(),
        nickname: `학습자 ${number % 20}`,
        profileImage: 'default.jpg',
        id: `${roomId}-${epoch}-${number}`,
      });
      const headers = `subscription:${chat.subscription}\nmessage-id:${number}\ndestination:/topic/messages`;
      const data = `MESSAGE\n${headers}\n\n${body}\0`;
      chat.socket.onmessage?.(new MessageEvent('message', { data }));
    };
    const startMs = performance.now();
    for (let index = 0; index < count; index += 1) {
      const dueMs = perSecond === undefined ? 0 : startMs + (index * 1_000) / perSecond;
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      deliver(from + index);
    }
  }, delivery);
}
