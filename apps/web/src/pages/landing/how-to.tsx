import { Desk, type DeskLook } from '../../shared/ui/desk.tsx';
import { useLandingText } from './texts.ts';

interface Step {
  readonly name: 'enter' | 'focus' | 'pause';
  readonly desk: DeskLook;
}

const STEPS: readonly Step[] = [
  {
    name: 'enter',
    desk: { light: 'off', empty: true, hair: 'bob', clothes: 'paper', work: 'book' },
  },
  {
    name: 'focus',
    desk: { light: 'burning', hair: 'bob', clothes: 'paper', work: 'book' },
  },
  {
    name: 'pause',
    desk: { light: 'low', hair: 'bob', clothes: 'paper', work: 'mug' },
  },
];

/** The three-step how-to at one desk: a free seat, its lamp burning, the lamp turned low (specification §1, §2). */
export function HowTo() {
  const text = useLandingText();
  return (
    <section id="how" className="border-line border-y bg-surface">
      <div className="landing-section">
        <h2 className="font-extrabold text-heading">{text('how.title')}</h2>
        <ol className="mt-10 grid gap-10 md:grid-cols-3 md:gap-8 lg:mt-14 lg:gap-10">
          {STEPS.map(({ name, desk }, index) => (
            <li key={name}>
              <div className="aspect-[4/3] overflow-hidden rounded-large border border-line max-md:aspect-[16/9]">
                <Desk {...desk} />
              </div>
              <h3 className="mt-6 flex items-baseline gap-3 font-bold text-title">
                <span className="text-lamp-ink tabular-nums">{index + 1}</span>
                <span>{text(`how.${name}.title`)}</span>
              </h3>
              <p className="mt-2 text-ink-soft">{text(`how.${name}.text`)}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
