import type { ReactNode } from 'react';
import { ComingSoon } from './coming-soon.tsx';
import { ChatDrawing, RoomDrawing, TimerDrawing, VideoDrawing } from './feature-drawings.tsx';
import { type LandingTexts, useLandingText } from './texts.ts';

interface Feature {
  readonly name: 'video' | 'chat' | 'timer' | 'room';
  readonly drawing: ReactNode;
  readonly place: string;
  readonly textBadge?: ReactNode;
}

const FEATURES: readonly Feature[] = [
  { name: 'video', drawing: <VideoDrawing />, place: 'lg:col-span-7' },
  {
    name: 'chat',
    drawing: <ChatDrawing />,
    place: 'lg:col-span-5',
    textBadge: <ComingSoon feature="whiteboard" named />,
  },
  { name: 'timer', drawing: <TimerDrawing />, place: 'lg:col-span-5' },
  { name: 'room', drawing: <RoomDrawing />, place: 'lg:col-span-7' },
];

/** The four feature tiles (specification §2). */
export function Features() {
  const text = useLandingText();
  return (
    <section className="landing-section">
      <h2 className="max-w-[24ch] font-extrabold text-heading">{text('features.title')}</h2>
      <ul className="mt-10 grid gap-5 md:grid-cols-2 lg:mt-14 lg:grid-cols-12 lg:gap-x-6">
        {FEATURES.map((feature) => (
          <FeatureTile key={feature.name} {...feature} />
        ))}
      </ul>
    </section>
  );
}

function FeatureTile({ name, drawing, place, textBadge }: Feature) {
  const text = useLandingText();
  const title: keyof LandingTexts = `features.${name}.title`;
  return (
    <li
      className={`row-span-2 grid grid-rows-subgrid gap-0 overflow-hidden rounded-large border border-line bg-surface ${place}`}
    >
      <div data-theme="dark" aria-hidden="true" className="feature-drawing bg-ground text-ink">
        {drawing}
      </div>
      <div className="p-6 sm:p-8">
        <h3 className="font-bold text-title">{text(title)}</h3>
        <p className="mt-2.5 max-w-[52ch] text-ink-soft">
          {text(`features.${name}.text`)} {textBadge}
        </p>
      </div>
    </li>
  );
}
