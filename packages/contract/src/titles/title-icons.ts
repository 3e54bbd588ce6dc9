/** Names of the title icons: `icon` of a title is one of these. */
export const titleIcons = [
  // The first day: a desk.
  'desk',
  // Total hours: 1, 10, 50, 100, 500, 1,000.
  'hourglass',
  'notebook',
  'open-book',
  'book-stack',
  'bookshelf',
  'library',
  // Days in a row: 3, 7, 14, 30, 100, 365.
  'match',
  'candle',
  'flame',
  'campfire',
  'lighthouse',
  'sun',
  // Hours in one day: 3, 6, 10.
  'cup',
  'teapot',
  'mountain',
  // Times of day and of the week: dawn, night, weekend, a week of early mornings.
  'dawn',
  'moon',
  'weekend',
  'early-bird',
  // Days of attendance: 10, 50, 100, 200, 365.
  'sprout',
  'sapling',
  'tree',
  'forest',
  'calendar',
] as const;

export type TitleIconName = (typeof titleIcons)[number];
