import { FocusClock, Today, UserId } from '@mogakgong/contract';
import * as z from 'zod/mini';

/** What one tab tells the others: what the server said, or where a move under way will lead. */
const TodayNews = z.union([
  z.object({ userId: UserId, today: Today }),
  z.object({ userId: UserId, clock: FocusClock }),
  z.object({ userId: UserId, expected: z.nullable(FocusClock) }),
]);
export type TodayNews = z.infer<typeof TodayNews>;

const CHANNEL = 'mogakgong.today';

let channel: BroadcastChannel | null = null;

/** Tells the other tabs of this browser, while this one listens to them. */
export function tellTabs(news: TodayNews): void {
  channel?.postMessage(news);
}

/**
 * Listens to the other tabs; one listener at a time. What is not understood is left alone: another
 * tab may be of another version.
 */
export function listenToTabs(listener: (news: TodayNews) => void): () => void {
  const opened = new BroadcastChannel(CHANNEL);
  opened.addEventListener('message', ({ data }) => {
    const news = TodayNews.safeParse(data);
    if (news.success) listener(news.data);
  });
  channel = opened;
  return () => {
    opened.close();
    if (channel === opened) channel = null;
  };
}
