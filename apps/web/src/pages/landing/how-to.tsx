import { Lamp, type LampLight } from '../../shared/ui/lamp.tsx';
import { useLandingText } from './texts.ts';

const STEPS: readonly { readonly name: 'enter' | 'focus' | 'pause'; readonly light: LampLight }[] =
  [
    { name: 'enter', light: 'off' },
    { name: 'focus', light: 'burning' },
    { name: 'pause', light: 'low' },
  ];

/** The three-step how-to: the lamp is off, burns, and is turned low (specification §1, §2). */
export function HowTo() {
  const text = useLandingText();
  return (
    <section id="how" className="border-line border-y bg-surface">
      <div className="landing-section">
        <h2 className="font-extrabold text-heading">{text('how.title')}</h2>
        <ol className="mt-10 grid gap-10 md:grid-cols-3 md:gap-8 lg:mt-14 lg:gap-14">
          {STEPS.map(({ name, light }, index) => (
            <li key={name} className="how-step">
              <div className="flex items-end justify-between border-line-strong border-b pb-3">
                <Lamp light={light} size={96} decorative />
                <span
                  aria-hidden="true"
                  className="font-bold text-heading text-ink-soft tabular-nums"
                >
                  {index + 1}
                </span>
              </div>
              <h3 className="mt-5 font-bold text-title">{text(`how.${name}.title`)}</h3>
              <p className="mt-2 text-ink-soft">{text(`how.${name}.text`)}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
