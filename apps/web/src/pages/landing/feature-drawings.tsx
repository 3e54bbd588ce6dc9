import { EyeOff } from 'lucide-react';
import { Desk } from '../../shared/ui/desk.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import { videoDesks } from './desks.ts';
import type { LandingSection } from './landing-texts.ts';

/** Live video: desks of a room, one of them hidden. */
export function VideoDrawing() {
  return (
    <div className="grid w-full max-w-[40rem] grid-cols-3 gap-2.5 sm:gap-3.5">
      {videoDesks.map((desk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the drawing never changes its order
        <div key={index} className="aspect-[4/3] overflow-hidden rounded-medium">
          <Desk {...desk} />
        </div>
      ))}
      <div className="grid aspect-[4/3] place-items-center rounded-medium bg-raised text-ink-soft">
        <EyeOff size={26} />
      </div>
    </div>
  );
}

/** Chat over a whiteboard with a half-solved triangle. */
export function ChatDrawing({ texts }: LandingSection) {
  return (
    <div className="relative grid w-full max-w-[26rem] content-between">
      <svg viewBox="0 0 320 190" aria-hidden="true" className="w-full">
        <rect x="1" y="1" width="318" height="188" rx="14" className="fill-surface stroke-line" />
        <g
          fill="none"
          className="stroke-ink"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d="M47 151c40-37 79-75 117-116 34 40 74 78 114 117-77 3-154 3-231-1z" />
          <path
            d="M164 37c-1 38 0 77 1 115"
            className="stroke-lamp"
            strokeDasharray="1 8"
            strokeWidth="4"
          />
          <path d="M165 139h13v13" className="stroke-lamp" />
        </g>
        <circle cx="164" cy="35" r="5" className="fill-lamp" />
      </svg>
      <div className="mt-3 grid gap-2.5 sm:-mt-7 text-small">
        <p className="mr-auto max-w-[85%] rounded-large rounded-bl-small bg-raised px-4 py-2.5">
          {texts['features.chat.messageOne']}
        </p>
        <p className="ml-auto max-w-[85%] rounded-large rounded-br-small bg-primary px-4 py-2.5 font-medium text-on-primary">
          {texts['features.chat.messageTwo']}
        </p>
      </div>
    </div>
  );
}

/** The clock of a learner: focus on top, the break below it. */
export function TimerDrawing({ texts }: LandingSection) {
  return (
    <div className="grid w-full max-w-[24rem] gap-3">
      <div className="flex items-center gap-4 rounded-large bg-raised px-5 py-5 sm:gap-5 sm:px-6">
        <Lamp light="burning" size={64} />
        <div>
          <p className="flex items-center gap-2 text-focus text-small">
            <StatusDot status="focus" />
            {texts['features.timer.focus']}
          </p>
          <p className="whitespace-nowrap font-extrabold text-heading tabular-nums tracking-tight">
            01:24:36
          </p>
        </div>
      </div>
      <div className="flex items-center gap-4 rounded-large border border-line px-5 py-4 sm:gap-5 sm:px-6 text-ink-soft">
        <Lamp light="low" size={44} />
        <div>
          <p className="flex items-center gap-2 text-caption text-pause">
            <StatusDot status="pause" />
            {texts['features.timer.pause']}
          </p>
          <p className="whitespace-nowrap font-bold text-title tabular-nums">00:12:05</p>
        </div>
      </div>
    </div>
  );
}

/** L: a lit lamp, o: an unlit one, x: the free seat offered to the visitor. */
const SEATS = 'LLoLL LoLLo LLxLL oLLoL'.replaceAll(' ', '');

/** Twenty seats, one of them free. */
export function RoomDrawing({ texts }: LandingSection) {
  return (
    <div className="relative grid w-full max-w-[34rem] grid-cols-5 gap-2 text-ink-soft sm:gap-3">
      {[...SEATS].map((seat, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the drawing never changes its order
          key={index}
          className={
            seat === 'x'
              ? 'seat-free relative grid aspect-[5/3] place-items-center rounded-medium border-2 border-lamp bg-lamp-wash text-lamp-ink'
              : 'grid aspect-[5/3] place-items-center rounded-medium bg-raised'
          }
        >
          {seat === 'x' ? (
            <span className="text-center font-bold text-caption leading-tight">
              {texts['features.room.seat']}
            </span>
          ) : (
            <Lamp light={seat === 'L' ? 'burning' : 'off'} size={32} />
          )}
        </div>
      ))}
    </div>
  );
}
