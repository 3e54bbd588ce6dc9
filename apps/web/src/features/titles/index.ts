export { TitlesSection } from './titles-section.tsx';
export { useTitlesText } from './titles-texts.ts';
