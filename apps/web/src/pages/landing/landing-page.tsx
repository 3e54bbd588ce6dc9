import './landing.css';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { Desk } from '../../shared/ui/desk.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import type { LandingSection } from './landing-texts.ts';

/** The product and how to start (specification §1, §2). Prerendered in each language. */
export function LandingPage({ texts }: LandingSection) {
  return (
    <>
      <Hero texts={texts} />
      <Features texts={texts} />
      <HowTo texts={texts} />
      <Promises texts={texts} />
      <section data-theme="dark" className="bg-ground text-ink">
        <div className="mx-auto grid justify-items-center px-4 py-20 text-center sm:py-28">
          <Lamp light="burning" size={112} />
          <h2 className="mt-6 mb-9 font-extrabold text-heading">{texts['closing.title']}</h2>
          <LinkButton href={paths.main} variant="primary" size="large">
            {texts['closing.start']}
          </LinkButton>
        </div>
      </section>
    </>
  );
}

const learner = { hair: 'bob', clothes: 'paper' } as const;
const STEPS = [
  ['enter', { ...learner, light: 'off', work: 'book', empty: true }],
  ['focus', { ...learner, light: 'burning', work: 'book' }],
  ['pause', { ...learner, light: 'low', work: 'mug' }],
] as const;

/** The three-step how-to at one desk: a free seat, its lamp lit, the lamp dimmed (specification §1, §2). */
function HowTo({ texts }: LandingSection) {
  return (
    <section id="how" className="border-line border-y bg-surface">
      <div className="landing-section">
        <h2 className="font-extrabold text-heading">{texts['how.title']}</h2>
        <ol className="mt-10 grid gap-10 md:grid-cols-3 md:gap-8 lg:mt-14 lg:gap-10">
          {STEPS.map(([name, look], index) => (
            <li key={name}>
              <div className="aspect-[4/3] overflow-hidden rounded-large border border-line max-md:aspect-[16/9]">
                <Desk {...look} />
              </div>
              <h3 className="mt-6 flex items-baseline gap-3 font-bold text-title">
                <span className="text-lamp-ink tabular-nums">{index + 1}</span>
                <span>{texts[`how.${name}.title`]}</span>
              </h3>
              <p className="mt-2 text-ink-soft">{texts[`how.${name}.text`]}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function Promises({ texts }: LandingSection) {
  return (
    <section className="landing-section lg:grid lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)] lg:gap-16">
      <h2 className="font-extrabold text-heading">{texts['promises.title']}</h2>
      <dl className="mt-10 grid gap-x-12 gap-y-9 sm:grid-cols-2 lg:mt-2">
        {(['silence', 'recording', 'time', 'source'] as const).map((name) => (
          <div key={name}>
            <dt className="font-bold text-lead">{texts[`promises.${name}.title`]}</dt>
            <dd className="mt-2 text-ink-soft">{texts[`promises.${name}.text`]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
