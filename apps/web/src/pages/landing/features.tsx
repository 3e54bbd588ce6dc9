import { ChatDrawing, RoomDrawing, TimerDrawing, VideoDrawing } from './feature-drawings.tsx';
import type { LandingSection } from './landing-texts.ts';

const FEATURES = [
  { name: 'video', Drawing: VideoDrawing, place: 'lg:col-span-7' },
  { name: 'chat', Drawing: ChatDrawing, place: 'lg:col-span-5' },
  { name: 'timer', Drawing: TimerDrawing, place: 'lg:col-span-5' },
  { name: 'room', Drawing: RoomDrawing, place: 'lg:col-span-7' },
] as const;

/** The four feature tiles (specification §2). */
export function Features({ texts }: LandingSection) {
  return (
    <section className="landing-section">
      <h2 className="max-w-[24ch] font-extrabold text-heading">{texts['features.title']}</h2>
      <ul className="mt-10 grid gap-5 md:grid-cols-2 lg:mt-14 lg:grid-cols-12 lg:gap-x-6">
        {FEATURES.map(({ name, Drawing, place }) => (
          <li
            key={name}
            className={`row-span-2 grid grid-rows-subgrid gap-0 overflow-hidden rounded-large border border-line bg-surface ${place}`}
          >
            <div
              data-theme="dark"
              aria-hidden="true"
              className="feature-drawing bg-ground text-ink"
            >
              <Drawing texts={texts} />
            </div>
            <div className="p-6 sm:p-8">
              <h3 className="font-bold text-title">{texts[`features.${name}.title`]}</h3>
              <p className="mt-2.5 max-w-[52ch] text-ink-soft">{texts[`features.${name}.text`]}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
