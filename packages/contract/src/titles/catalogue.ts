import { HOUR_MS } from '../durations.ts';
import type { Language } from '../errors.ts';
import type { TitleIconName } from './title-icons.ts';
import {
  type CatalogueTitle,
  NO_TITLE_KEY,
  noTitleNames,
  type TitleProgress,
  type TitleType,
  type WornTitle,
} from './titles.ts';

/** Focus that one dawn, night or day of a weekend needs to count for its titles. */
export const TIME_OF_DAY_MIN_MS = 30 * 60_000;
export const WEEKEND_DAY_MIN_MS = HOUR_MS;

/** Dawn and night, in hours of local time. */
export const timesOfDay = {
  night: { fromHour: 0, toHour: 4 },
  dawn: { fromHour: 4, toHour: 7 },
} as const;

/** The figure that decides a title, and its unit. */
export const titleFigures = {
  /** Total focus. */
  focusSeconds: 'seconds',
  /** Days attended (specification §3). */
  attendanceDays: 'days',
  /** Days attended in a row. */
  streakDays: 'days',
  /** Focused on the best day. */
  bestDaySeconds: 'seconds',
  /** Dawns, nights and days of a weekend with enough focus in each. */
  dawns: 'times',
  nights: 'times',
  weekendDays: 'times',
} as const satisfies Record<string, TitleProgress['unit']>;
export type TitleFigure = keyof typeof titleFigures;

interface TitleText {
  readonly name: string;
  readonly description: string;
}

/** One title: won once `figure` reaches `threshold`, and never lost. */
export interface TitleDefinition {
  /** Stored for its winners: never reused for another title. */
  readonly titleId: number;
  readonly key: string;
  readonly icon: TitleIconName;
  readonly type: TitleType;
  readonly figure: TitleFigure;
  /** In the unit of the figure. */
  readonly threshold: number;
  readonly ko: TitleText;
  readonly en: TitleText;
}

type Row = readonly [
  titleId: number,
  key: string,
  icon: TitleIconName,
  threshold: number,
  ...texts: readonly [koName: string, koDescription: string, enName: string, enDescription: string],
];

/** Titles of one kind, from rows of id, key, icon, threshold, and name and description in both languages. */
function titlesOf(type: TitleType, figure: TitleFigure, rows: readonly Row[]): TitleDefinition[] {
  return rows.map(
    ([titleId, key, icon, threshold, koName, koDescription, enName, enDescription]) => ({
      ...{ titleId, key, icon, type, figure, threshold },
      ko: { name: koName, description: koDescription },
      en: { name: enName, description: enDescription },
    }),
  );
}

const HOUR_SECONDS = 3_600;

// biome-ignore format: a table
/** All titles, in the order in which they are shown. */
export const titleCatalogue: readonly TitleDefinition[] = [
  ...titlesOf('first', 'attendanceDays', [
    [1, 'first-day', 'desk', 1, '나만의 책상', '처음 출석한 날', 'A Desk of One’s Own', 'The first day of attendance'],
  ]),
  ...titlesOf('hours', 'focusSeconds', [
    [2, 'hours-1', 'hourglass', HOUR_SECONDS, '첫 한 시간', '누적 집중 1시간', 'The First Hour', '1 hour of total focus'],
    [3, 'hours-10', 'notebook', 10 * HOUR_SECONDS, '열 시간의 공책', '누적 집중 10시간', 'Ten-Hour Notebook', '10 hours of total focus'],
    [4, 'hours-50', 'open-book', 50 * HOUR_SECONDS, '펼쳐진 책', '누적 집중 50시간', 'Open Book', '50 hours of total focus'],
    [5, 'hours-100', 'book-stack', 100 * HOUR_SECONDS, '백 시간의 책탑', '누적 집중 100시간', 'Stack of a Hundred Hours', '100 hours of total focus'],
    [6, 'hours-500', 'bookshelf', 500 * HOUR_SECONDS, '든든한 책장', '누적 집중 500시간', 'Full Bookshelf', '500 hours of total focus'],
    [7, 'hours-1000', 'library', 1_000 * HOUR_SECONDS, '천 시간의 도서관', '누적 집중 1,000시간', 'Library of a Thousand Hours', '1,000 hours of total focus'],
  ]),
  ...titlesOf('streak', 'streakDays', [
    [8, 'streak-3', 'match', 3, '성냥불', '3일 연속 출석', 'Match', '3 days in a row'],
    [9, 'streak-7', 'candle', 7, '촛불', '7일 연속 출석', 'Candle', '7 days in a row'],
    [10, 'streak-14', 'flame', 14, '불꽃', '14일 연속 출석', 'Flame', '14 days in a row'],
    [11, 'streak-30', 'campfire', 30, '모닥불', '30일 연속 출석', 'Campfire', '30 days in a row'],
    [12, 'streak-100', 'lighthouse', 100, '등대', '100일 연속 출석', 'Lighthouse', '100 days in a row'],
    [13, 'streak-365', 'sun', 365, '지지 않는 해', '365일 연속 출석', 'The Sun That Never Sets', '365 days in a row'],
  ]),
  ...titlesOf('day', 'bestDaySeconds', [
    [14, 'day-3', 'cup', 3 * HOUR_SECONDS, '커피 한 잔의 집중', '하루 집중 3시간', 'A Cup of Focus', '3 hours of focus in one day'],
    [15, 'day-6', 'teapot', 6 * HOUR_SECONDS, '차 한 주전자의 하루', '하루 집중 6시간', 'A Teapot of a Day', '6 hours of focus in one day'],
    [16, 'day-10', 'mountain', 10 * HOUR_SECONDS, '하루의 정상', '하루 집중 10시간', 'Summit of the Day', '10 hours of focus in one day'],
  ]),
  ...titlesOf('time', 'dawns', [
    [17, 'dawn', 'dawn', 1, '새벽을 여는 사람', '새벽 4~7시에 30분 집중', 'Opener of the Dawn', '30 minutes of focus between 4 and 7 in the morning'],
    [18, 'dawn-7', 'early-bird', 7, '일찍 일어나는 새', '새벽 4~7시에 30분 집중한 날 7일', 'Early Bird', '7 mornings with 30 minutes of focus between 4 and 7'],
  ]),
  ...titlesOf('time', 'nights', [
    [19, 'night', 'moon', 1, '달빛 공부', '밤 0~4시에 30분 집중', 'Moonlight Study', '30 minutes of focus between midnight and 4'],
  ]),
  ...titlesOf('time', 'weekendDays', [
    [20, 'weekend', 'weekend', 1, '주말의 책상', '토요일이나 일요일에 1시간 집중', 'Weekend Desk', '1 hour of focus on a Saturday or Sunday'],
  ]),
  ...titlesOf('days', 'attendanceDays', [
    [21, 'days-10', 'sprout', 10, '새싹', '누적 출석 10일', 'Sprout', '10 days of attendance'],
    [22, 'days-50', 'sapling', 50, '어린나무', '누적 출석 50일', 'Sapling', '50 days of attendance'],
    [23, 'days-100', 'tree', 100, '아름드리나무', '누적 출석 100일', 'Great Tree', '100 days of attendance'],
    [24, 'days-200', 'forest', 200, '깊은 숲', '누적 출석 200일', 'Deep Forest', '200 days of attendance'],
    [25, 'days-365', 'calendar', 365, '한 해의 달력', '누적 출석 365일', 'A Year of Days', '365 days of attendance'],
  ]),
];

/** A title in the reader's language. */
export function toCatalogueTitle(title: TitleDefinition, language: Language): CatalogueTitle {
  const { titleId, key, icon, type } = title;
  return { titleId, key, ...title[language], icon, type };
}

/** A title as it is worn. */
export function toWornTitle(
  { key, icon, ...texts }: TitleDefinition,
  language: Language,
): WornTitle {
  return { key, name: texts[language].name, icon };
}

/** Stands in for a worn title while none is worn (specification §3). */
export function noTitle(language: Language): WornTitle {
  return { key: NO_TITLE_KEY, name: noTitleNames[language], icon: '' };
}

/** The title with this id or key; undefined if this version has none. */
export function findTitle(idOrKey: number | string): TitleDefinition | undefined {
  return titleCatalogue.find(({ titleId, key }) => titleId === idOrKey || key === idOrKey);
}
