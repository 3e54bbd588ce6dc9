import { FocusClock, Today, UserId } from '@mogakgong/contract';
import * as z from 'zod/mini';
import { createTabChannel } from '../lib/tab-channel.ts';

/** What one tab tells the others: what the server said, or where a move under way will lead. */
const TodayNews = z.union([
  z.object({ userId: UserId, today: Today }),
  z.object({ userId: UserId, clock: FocusClock }),
  z.object({ userId: UserId, expected: z.nullable(FocusClock) }),
]);

export const otherTabs = createTabChannel('mogakgong.today', TodayNews);
