import {
  type EquippedTitle,
  findTitle,
  type Language,
  NO_TITLE_ID,
  NO_TITLE_KEY,
  noTitleNames,
  type OwnTitle,
  type TitleDefinition,
  titleCatalogue,
  titleFigures,
  toCatalogueTitle,
  type UserId,
} from '@mogakgong/contract';
import { createBatcher } from '../../platform/batch/index.ts';
import { forEachDue, isForeignKeyBroken } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { FocusService } from '../focus/index.ts';
import type { Notices, RealtimeHub } from '../realtime/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { Evaluation, Figures, TitlesRepository } from './titles.repository.ts';

const BATCH_SIZE = 200;

export interface TitlesUses {
  readonly hub: RealtimeHub;
  readonly rooms: RoomsService;
  readonly focus: FocusService;
  readonly notices: Notices;
}

interface TitlesParts extends AppContext, TitlesUses {
  readonly repository: TitlesRepository;
}

/** When a focusing learner is evaluated again, unless their visit changes before. */
interface NextEvaluation {
  readonly version: string;
  readonly at: Date | null;
}

/** Learners evaluated at once: fewer than there are connections to the database. */
const AWARDED_AT_ONCE = 5;

/** Titles that learners have won and wear. */
export class TitlesService {
  readonly #parts: TitlesParts;
  readonly #award: (userId: UserId) => Promise<Evaluation>;
  /** For learners focusing in the last round; missing ones are evaluated. */
  #nextEvaluations: ReadonlyMap<UserId, NextEvaluation> = new Map();

  constructor(parts: TitlesParts) {
    this.#parts = parts;
    this.#award = createBatcher((userIds) => this.#awardAll(userIds), BATCH_SIZE);
    parts.focus.onCounted((userId) => {
      this.#award(userId).catch((error: unknown) =>
        parts.logger.error({ err: error, userId }, 'could not award titles'),
      );
    });
  }

  /**
   * Repeated: awards titles to focusing learners who are connected here, near the moment of winning. Skips
   * those known to be unable to win any yet.
   */
  async awardFocusing(): Promise<void> {
    const { hub, repository } = this.#parts;
    const here = [...hub.userIds];
    if (here.length === 0) return;
    const focusing = await repository.findFocusing(here);
    const nextEvaluations = new Map<UserId, NextEvaluation>();
    await forEachDue(
      focusing,
      async ({ userId, version, lastSeenAt }) => {
        const known = this.#nextEvaluations.get(userId);
        const isEarly = known?.version === version && known.at !== null && lastSeenAt < known.at;
        const at = isEarly ? known.at : (await this.#award(userId)).againAt;
        nextEvaluations.set(userId, { version, at });
      },
      AWARDED_AT_ONCE,
    ).finally(() => {
      this.#nextEvaluations = nextEvaluations;
    });
  }

  /** Every title with the learner's progress. Awards first, so that no won title is missing. */
  async list(userId: UserId, language: Language): Promise<OwnTitle[]> {
    const { figures } = await this.#award(userId);
    const rows = await this.#parts.repository.findTitles(userId);
    const won = new Map(rows.map((row) => [row.titleId, row]));
    return titleCatalogue.map((title) => {
      const row = won.get(title.titleId);
      return {
        ...toCatalogueTitle(title, language),
        acquiredAt: row?.acquiredAt.toISOString() ?? null,
        isRepresent: row?.isWorn ?? false,
        progress: progressOf(title, figures, row !== undefined),
      };
    });
  }

  /** The title not yet won with the largest share of its target; null when all are won. */
  async findNext(userId: UserId, language: Language): Promise<OwnTitle | null> {
    const share = ({ progress }: OwnTitle) => progress.current / progress.target;
    const open = (await this.list(userId, language)).filter((title) => title.acquiredAt === null);
    const [first, ...others] = open;
    if (!first) return null;
    return others.reduce((best, title) => (share(title) > share(best) ? title : best), first);
  }

  /**
   * Wears a title that the learner has won, or none.
   * @throws ApiError `titleNotFound`, `titleNotWon`.
   */
  async equip(
    userId: UserId,
    titleId: number | typeof NO_TITLE_KEY,
    language: Language,
  ): Promise<EquippedTitle> {
    if (titleId === NO_TITLE_ID || titleId === NO_TITLE_KEY) {
      await this.#wear(userId, null);
      const texts = { name: noTitleNames[language], description: '' };
      const nothing = { titleId: NO_TITLE_ID, key: NO_TITLE_KEY, icon: '', type: NO_TITLE_KEY };
      return { ...nothing, ...texts, acquiredAt: null };
    }
    const title = findTitle(titleId);
    if (!title) throw new ApiError('titleNotFound');
    const acquiredAt = await this.#wear(userId, title.titleId);
    return {
      ...toCatalogueTitle(title, language),
      acquiredAt: acquiredAt?.toISOString() ?? null,
    };
  }

  /** When the title was won; null for none. */
  async #wear(userId: UserId, titleId: number | null): Promise<Date | null> {
    const { repository, rooms } = this.#parts;
    const worn = await repository.wear(userId, titleId).catch((error: unknown) => {
      throw isForeignKeyBroken(error) ? new ApiError('titleNotWon', { cause: error }) : error;
    });
    if (worn.change) rooms.publish('updated', [worn.change]);
    return worn.acquiredAt;
  }

  async #awardAll(userIds: readonly UserId[]): Promise<Evaluation[]> {
    const { repository, clock, notices } = this.#parts;
    const now = clock.now();
    const rows = await repository.award(userIds, now);
    for (const { userId, won } of rows) {
      for (const { titleId } of won) {
        const title = findTitle(titleId);
        if (!title) continue;
        const { key, icon } = title;
        notices.send(userId, {
          kind: 'titleWon',
          title: { titleId, key, icon, acquiredAt: now.toISOString() },
        });
      }
    }
    const evaluations = new Map(rows.map((row) => [row.userId, row]));
    return userIds.map((userId) => {
      const found = evaluations.get(userId);
      if (!found) throw new Error('a learner has no figures');
      return found;
    });
  }
}

function progressOf(title: TitleDefinition, figures: Figures, isWon: boolean) {
  const { figure, threshold } = title;
  // A streak that broke restarts; a title that was won stays won.
  const current = figures[figure === 'streakDays' ? 'streakNow' : figure];
  return {
    unit: titleFigures[figure],
    current: isWon ? threshold : Math.min(current, threshold),
    target: threshold,
  };
}
