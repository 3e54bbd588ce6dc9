import { type TitleFigure, titleCatalogue, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, isForeignKeyBroken, retryConflict } from '../../platform/database/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';
import { changeTitle, userCards } from '../users/index.ts';
import { learnerFigures, nextEvaluation } from './title-figures.ts';

/** A title that a learner has. */
export interface TitleRow {
  readonly titleId: number;
  readonly acquiredAt: Date;
  readonly isWorn: boolean;
}

/** The result of wearing a title, or none. */
interface ChangedTitle {
  /** When the title was won; null for none. */
  readonly acquiredAt: Date | null;
  /** Its number in the room's roster; null if others see no change. */
  readonly change: SeatChange | null;
}

/** The figures of a learner, and their present days in a row. */
export type Figures = Readonly<Record<TitleFigure | 'streakNow', number>>;

/** The result of evaluating a learner. */
export interface Evaluation {
  readonly userId: UserId;
  readonly figures: Figures;
  /** The titles won by it. */
  readonly won: readonly { readonly titleId: number }[];
  /** The running interval wins nothing by proof of life from before this moment; null if unknown. */
  readonly againAt: Date | null;
}

/** A focusing learner. */
interface FocusingLearner {
  readonly userId: UserId;
  /** Differs after every change of the visit. */
  readonly version: string;
  readonly lastSeenAt: Date;
}

/** SQL for all titles: (title_id, name, threshold). */
const winnable = sql`unnest(
  ${titleCatalogue.map((title) => title.titleId)}::integer[],
  ${titleCatalogue.map((title) => title.figure)}::text[],
  ${titleCatalogue.map((title) => title.threshold)}::bigint[]
) as title (title_id, name, threshold)`;

/** The only queries on the tables of titles. */
export function createTitlesRepository(database: Database) {
  return {
    /**
     * Evaluates learners' time since their last evaluation, and awards the titles that they have won. However
     * many processes do so at once, each title is returned to one of them.
     */
    async award(userIds: readonly UserId[], now: Date): Promise<Evaluation[]> {
      const { rows } = await retryDeleted(() =>
        sql<Evaluation>`
          with ${learnerFigures(userIds, now)},
          ${nextEvaluation()},
          won as (
            insert into user_title (user_id, title_id, acquired_at, figure)
            select figure.user_id, title.title_id, ${now}, figure.value
            from figure join ${winnable}
              on title.name = figure.name and figure.value >= title.threshold
            order by figure.user_id, title.title_id
            on conflict do nothing
            returning user_id, title_id
          ),
          noted as (
            insert into title_progress as known (user_id, checked_until, best_day_ms)
            select fresh.user_id, max(fresh.ended_at), best.best_day_ms
            from fresh join best on best.user_id = fresh.user_id
            where fresh.status = 'focus'
            group by fresh.user_id, best.best_day_ms
            order by fresh.user_id
            on conflict (user_id) do update
            set checked_until = greatest(known.checked_until, excluded.checked_until),
                best_day_ms = greatest(known.best_day_ms, excluded.best_day_ms)
          )
          select figure.user_id as "userId", json_object_agg(figure.name, figure.value) as figures, (
            select coalesce(json_agg(json_build_object('titleId', won.title_id)
                                     order by won.title_id), '[]')
            from won where won.user_id = figure.user_id
          ) as won, (
            select at from next_evaluation where next_evaluation.user_id = figure.user_id
          ) as "againAt"
          from figure group by figure.user_id`.execute(database),
      );
      return rows;
    },

    async findTitles(userId: UserId): Promise<TitleRow[]> {
      const { rows } = await sql<TitleRow>`
        select won.title_id as "titleId", won.acquired_at as "acquiredAt",
               won.title_id is not distinct from card.title_id as "isWorn"
        from user_title as won join ${userCards} as card on card.user_id = won.user_id
        where won.user_id = ${userId}`.execute(database);
      return rows;
    },

    /**
     * Wears a title, or none, and counts the change for the room in the same statement: a stored title is
     * always published. A title that is not won violates a foreign key.
     */
    wear: (userId: UserId, titleId: number | null): Promise<ChangedTitle> =>
      retryConflict(() => wear(database, userId, titleId)),

    /** The focusing ones of these learners. */
    async findFocusing(userIds: readonly UserId[]): Promise<FocusingLearner[]> {
      const { rows } = await sql<FocusingLearner>`
        select visit.user_id as "userId", visit.xmin::text as version,
               seat.last_seen_at as "lastSeenAt"
        from visit join seat on seat.user_id = visit.user_id
        where visit.user_id = any(${userIds}::bigint[]) and ended_at is null and status = 'focus'
        order by visit.user_id`.execute(database);
      return rows;
    },
  };
}

export type TitlesRepository = ReturnType<typeof createTitlesRepository>;

/** Repeats an award without accounts deleted meanwhile. */
async function retryDeleted<Result>(award: () => Promise<Result>): Promise<Result> {
  try {
    return await retryConflict(award);
  } catch (error) {
    if (!isForeignKeyBroken(error)) throw error;
    return retryConflict(award);
  }
}

async function wear(
  database: Database,
  userId: UserId,
  titleId: number | null,
): Promise<ChangedTitle> {
  const { rows } = await sql<ChangedTitle>`
    with ${changeTitle(userId, titleId)},
    ${countOneUpdate(sql<UserId>`(select user_id from title_changed)`)}
    select (
      select acquired_at from user_title where user_id = ${userId} and title_id = ${titleId}::integer
    ) as "acquiredAt", (
      select json_build_object('userId', user_id, 'roomId', room_id, 'number', number)
      from counted_update
    ) as change`.execute(database);
  const [worn] = rows;
  if (!worn) throw new Error('a statement without a row');
  return worn;
}
