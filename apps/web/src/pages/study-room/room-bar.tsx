import { LogOut, SlidersHorizontal, Target, Users, Video, VideoOff } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { turnCamera } from '../../room/room-actions.ts';
import type { RoomLive } from '../../room/room-live.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';

/** What opens beside the tiles, one at a time. */
export type RoomPanel = 'desk' | 'people' | 'about' | 'board' | 'options';

/** Which panel is shown beside the tiles: one at a time, so that the tiles keep their room. */
export function usePanels() {
  const [open, setOpen] = useState<RoomPanel | null>(null);
  const desk = useRef<HTMLButtonElement>(null);
  const people = useRef<HTMLButtonElement>(null);
  const about = useRef<HTMLButtonElement>(null);
  const board = useRef<HTMLButtonElement>(null);
  const options = useRef<HTMLButtonElement>(null);
  const toggleRefs = { desk, people, about, board, options };
  /** Closes what is open; the focus goes back to the button that opened it. */
  const close = () => {
    if (open !== null) toggleRefs[open].current?.focus();
    setOpen(null);
  };
  const toggle = (panel: RoomPanel) => (open === panel ? close() : setOpen(panel));
  return { open, toggle, close, toggleRefs };
}

interface RoomBarProps {
  readonly live: Pick<RoomLive, 'roomId' | 'store'>;
  /** A sanction keeps one's camera off: the notice under the bar says why. */
  readonly isCameraKeptOff: boolean;
  readonly peopleCount: number;
  readonly panels: ReturnType<typeof usePanels>;
  readonly onLeave: () => void;
  /** Opens what a hosted room is about; nothing in other rooms. */
  readonly about: ReactNode;
  /** One's own clock and what it can do. */
  readonly timer: ReactNode;
  /** Opens the whiteboard. */
  readonly board: ReactNode;
  /** Opens the chat. */
  readonly chat: ReactNode;
}

/** What says why one's camera cannot be turned on. */
export const CAMERA_NOTE_ID = 'camera-note';

/** Lets what lies under the bar know how high it is: it has one row or more. */
function publishHeight(bar: HTMLElement | null) {
  if (bar === null) return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    style.setProperty('--bar-height', `${bar.offsetHeight}px`);
  });
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty('--bar-height');
  };
}

/** The room's name, one's own clock, what opens panels, and the way out. */
export function RoomBar(props: RoomBarProps) {
  const { live } = props;
  const { t } = useTranslation();
  const name = useStore(live.store, ({ about }) => about?.name);
  return (
    <div
      ref={publishHeight}
      data-bar
      className="sticky top-[var(--header-height)] z-20 flex flex-wrap items-center gap-2 bg-ground px-4 py-2 sm:px-6"
    >
      <h1
        className={classNames(
          'min-w-0 flex-1 basis-20 truncate text-body font-bold tabular-nums',
          // A name needs its row where the window is narrow; a number can do without one.
          name === undefined ? 'max-sm:sr-only' : 'max-sm:basis-full',
        )}
      >
        {name ?? t('room.title', { number: live.roomId })}
      </h1>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2 sm:max-lg:order-last sm:max-lg:basis-full">
        {props.timer}
      </div>
      <RoomTools {...props} />
      <div className="max-sm:ml-auto">
        <Button size="small" icon={LogOut} onClick={props.onLeave}>
          <span className="max-sm:sr-only">{t('room.leave')}</span>
        </Button>
      </div>
    </div>
  );
}

/** The camera, and what opens panels: at the bottom of a phone, else in the bar. */
function RoomTools(props: RoomBarProps) {
  const { live, panels } = props;
  const { t } = useTranslation();
  const hasCamera = useStore(live.store, ({ camera }) => camera.kind !== 'off');
  return (
    <div className="room-tools flex items-center gap-1 sm:gap-2">
      {props.board}
      <Button
        variant="quiet"
        size="small"
        icon={hasCamera ? Video : VideoOff}
        aria-disabled={props.isCameraKeptOff || undefined}
        aria-describedby={props.isCameraKeptOff ? CAMERA_NOTE_ID : undefined}
        onClick={() => props.isCameraKeptOff || turnCamera(!hasCamera)}
      >
        <span className="max-[76rem]:sr-only">
          {t(hasCamera ? 'room.cameraOff' : 'room.cameraOn')}
        </span>
      </Button>
      {props.about}
      <Button
        ref={panels.toggleRefs.desk}
        variant="quiet"
        size="small"
        icon={Target}
        aria-expanded={panels.open === 'desk'}
        onClick={() => panels.toggle('desk')}
      >
        <span className="max-md:sr-only">{t('room.desk')}</span>
      </Button>
      <Button
        ref={panels.toggleRefs.people}
        variant="quiet"
        size="small"
        icon={Users}
        aria-expanded={panels.open === 'people'}
        onClick={() => panels.toggle('people')}
      >
        <span className="max-md:sr-only">{t('room.people', { count: props.peopleCount })}</span>
        <span aria-hidden="true" className="md:hidden">
          {props.peopleCount}
        </span>
      </Button>
      <Button
        ref={panels.toggleRefs.options}
        variant="quiet"
        size="small"
        icon={SlidersHorizontal}
        aria-expanded={panels.open === 'options'}
        onClick={() => panels.toggle('options')}
      >
        <span className="max-xl:sr-only">{t('room.options')}</span>
      </Button>
      {props.chat}
    </div>
  );
}
