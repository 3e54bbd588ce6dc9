import type { RoomId, UserId } from '@mogakgong/contract';
import type { Generated } from 'kysely';

export type FocusTables = {
  study_record: {
    user_id: UserId;
    time_zone: Generated<string>;
    day_start_minutes: Generated<number>;
    starts_on_entering: Generated<boolean>;
    /** When the time zone or the start of the day was last changed. */
    rule_changed_at: Date | null;
    /** Sums over the closed intervals. */
    focus_ms: Generated<number>;
    away_ms: Generated<number>;
    attendance_days: Generated<number>;
    streak_days: Generated<number>;
    longest_streak_days: Generated<number>;
    last_attended_day: string | null;
    /** The last day with any time, and its focus. */
    latest_day: string | null;
    latest_day_focus_ms: Generated<number>;
    /** The end of the last closed interval: no other may begin before it. */
    counted_until: Date | null;
  };
  visit: {
    id: Generated<number>;
    user_id: UserId;
    room_id: RoomId;
    began_at: Date;
    ended_at: Date | null;
    /** What runs since `since`; after the visit what ran last. */
    status: 'idle' | 'focus' | 'pause' | 'away';
    since: Date;
    /** What the learner comes back to when the server found them away by their silence. */
    returns_to: 'focus' | 'pause' | null;
    /** Sums over the closed intervals of the visit. */
    focus_ms: Generated<number>;
    away_ms: Generated<number>;
    time_zone: string;
    day_start_minutes: number;
  };
  focus_interval: {
    user_id: UserId;
    started_at: Date;
    ended_at: Date;
    visit_id: number;
    status: 'focus' | 'pause' | 'away';
    is_silence: boolean;
    time_zone: string;
    day_start_minutes: number;
  };
  study_day: {
    user_id: UserId;
    day: string;
    focus_ms: number;
    away_ms: number;
  };
};
