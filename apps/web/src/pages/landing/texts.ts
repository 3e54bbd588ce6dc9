import { createContext, use } from 'react';
import { fillText, type TextValues } from '../../shared/i18n/format.tsx';
import type ko from '../../shared/i18n/landing.ko.json';

/** The texts of the landing page, apart from the application's: they are not part of its download. */
export type LandingTexts = Readonly<Record<keyof typeof ko, string>>;

/** Set by the landing page for its sections. */
export const LandingTextsContext = createContext<LandingTexts | null>(null);

/** The look-up in the landing page's texts. */
export function useLandingText(): (key: keyof LandingTexts, values?: TextValues) => string {
  const texts = use(LandingTextsContext);
  if (!texts) throw new Error('a section of the landing page is outside it');
  return (key, values) => fillText(texts[key], values);
}
