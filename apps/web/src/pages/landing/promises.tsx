import { useLandingText } from './texts.ts';

const PROMISES = ['silence', 'recording', 'time', 'source'] as const;

/** What the product keeps to, in plain words. */
export function Promises() {
  const text = useLandingText();
  return (
    <section className="landing-section lg:grid lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)] lg:gap-16">
      <h2 className="font-extrabold text-heading">{text('promises.title')}</h2>
      <dl className="mt-10 grid gap-x-12 gap-y-9 sm:grid-cols-2 lg:mt-2">
        {PROMISES.map((name) => (
          <div key={name}>
            <dt className="font-bold text-lead">{text(`promises.${name}.title`)}</dt>
            <dd className="mt-2 text-ink-soft">{text(`promises.${name}.text`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
