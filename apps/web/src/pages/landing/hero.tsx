import { ArrowDown } from 'lucide-react';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { Desk } from '../../shared/ui/desk.tsx';
import { heroDesks } from './desks.ts';
import type { LandingSection } from './landing-texts.ts';

/** The banner: a study room at night, and the start button. */
export function Hero({ texts }: LandingSection) {
  return (
    <section data-theme="dark" className="relative overflow-hidden bg-ground text-ink">
      <div className="mx-auto grid w-full max-w-[120rem] items-center gap-10 px-4 pt-12 pb-0 sm:px-6 lg:min-h-[min(46rem,calc(100dvh-4rem))] lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:gap-12 lg:py-0 lg:pr-0 lg:pl-[max(1.5rem,calc((min(100vw,120rem)-84rem)/2+1.5rem))]">
        <div className="relative z-10 lg:py-16">
          <p className="font-semibold text-lamp-ink text-small">{texts['hero.eyebrow']}</p>
          <h1 className="mt-4 whitespace-pre-line font-extrabold text-display tracking-[-0.035em]">
            {texts['hero.title']}
          </h1>
          <p className="mt-6 max-w-[34rem] text-ink-soft text-lead">{texts['hero.lead']}</p>
          <div className="mt-9 flex flex-wrap items-center gap-3">
            <LinkButton href={paths.main} variant="primary" size="large">
              {texts['hero.start']}
            </LinkButton>
            <a
              href="#how"
              className="inline-flex min-h-14 items-center gap-1.5 rounded-medium px-3 font-semibold text-ink-soft text-small hover:text-ink sm:text-body"
            >
              {texts['hero.how']}
              <ArrowDown size={18} aria-hidden="true" />
            </a>
          </div>
          {/* Empty until live-count.ts knows the number of learners; its space is reserved, so that nothing
              moves. */}
          <p
            data-live-count={texts['hero.live']}
            className="mt-7 flex min-h-7 items-center gap-2.5 text-small opacity-0 transition-opacity duration-700"
          >
            <span className="live-dot" />
            <span data-live-count-text="" className="tabular-nums" />
          </p>
        </div>
        <div className="hero-room" aria-hidden="true">
          {heroDesks.map((desk, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the drawing never changes its order
            <div key={index} className="hero-desk">
              <Desk {...desk} />
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
