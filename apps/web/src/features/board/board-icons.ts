import { createLucideIcon } from 'lucide-react';

/*
 * Icons of Lucide that only the board shows. An icon that is imported by its name is downloaded with
 * every page; these are downloaded with the board.
 */
const paths = (...lines: readonly string[]) =>
  lines.map((d): ['path', { d: string; key: string }] => ['path', { d, key: d }]);

export const BoardIcon = createLucideIcon(
  'presentation',
  paths('M2 3h20', 'M21 3v11a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V3', 'm7 21 5-5 5 5'),
);
export const ListIcon = createLucideIcon(
  'list',
  paths('M3 5h.01', 'M3 12h.01', 'M3 19h.01', 'M8 5h13', 'M8 12h13', 'M8 19h13'),
);
export const DrawIcon = createLucideIcon(
  'pen-line',
  paths(
    'M13 21h8',
    'M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z',
  ),
);
export const WidenIcon = createLucideIcon(
  'maximize-2',
  paths('M15 3h6v6', 'm21 3-7 7', 'm3 21 7-7', 'M9 21H3v-6'),
);
export const NarrowIcon = createLucideIcon(
  'minimize-2',
  paths('m14 10 7-7', 'M20 10h-6V4', 'm3 21 7-7', 'M4 14h6v6'),
);
export const MoreIcon = createLucideIcon('menu', paths('M4 5h16', 'M4 12h16', 'M4 19h16'));
export const CopyIcon = createLucideIcon(
  'bookmark',
  paths('m19 21-7-4-7 4V5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v16z'),
);
export const CopiesIcon = createLucideIcon(
  'layers-2',
  paths(
    'M13 13.74a2 2 0 0 1-2 0L2.5 8.87a1 1 0 0 1 0-1.74L11 2.26a2 2 0 0 1 2 0l8.5 4.87a1 1 0 0 1 0 1.74z',
    'm20 14.285 1.5.845a1 1 0 0 1 0 1.74L13 21.74a2 2 0 0 1-2 0l-8.5-4.87a1 1 0 0 1 0-1.74l1.5-.845',
  ),
);
export const HistoryIcon = createLucideIcon(
  'history',
  paths('M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8', 'M3 3v5h5', 'M12 7v5l4 2'),
);
