import './landing.css';
import { Closing } from './closing.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import { HowTo } from './how-to.tsx';
import { Promises } from './promises.tsx';
import { type LandingTexts, LandingTextsContext } from './texts.ts';

/** What the product is and how it begins (specification §1, §2). Rendered ahead of time in each language. */
export function LandingPage({ texts }: { readonly texts: LandingTexts }) {
  return (
    <LandingTextsContext value={texts}>
      <Hero />
      <Features />
      <HowTo />
      <Promises />
      <Closing />
    </LandingTextsContext>
  );
}
