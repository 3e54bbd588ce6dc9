export { TitlesSection } from './titles-section.tsx';
export { titlesTexts } from './titles-texts.ts';
