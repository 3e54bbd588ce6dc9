export { TitleBadge, type WornTitle } from './title-badge.tsx';
export { TitleIcon } from './title-icon.tsx';
