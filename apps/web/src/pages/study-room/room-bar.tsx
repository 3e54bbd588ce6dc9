import { LogOut, SlidersHorizontal, Target, Users, Video, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { turnCamera } from '../../room/room-actions.ts';
import type { RoomLive } from '../../room/room-live.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { PanelButton, type Panels } from './panels.tsx';

interface RoomBarProps {
  readonly live: Pick<RoomLive, 'roomId' | 'store'>;
  /** A sanction keeps one's camera off: the notice under the bar says why. */
  readonly isCameraKeptOff: boolean;
  readonly panels: Panels;
  readonly onLeave: () => void;
  /** Opens what a hosted room is about; nothing in other rooms. */
  readonly about: ReactNode;
  /** One's own clock and what it can do. */
  readonly timer: ReactNode;
  /** On the button of one's own desk: what is new there. */
  readonly deskMark: ReactNode;
  /** Opens the whiteboard. */
  readonly board: ReactNode;
  /** Opens the chat. */
  readonly chat: ReactNode;
}

/** What says why one's camera cannot be turned on. */
export const CAMERA_NOTE_ID = 'camera-note';

/** Lets what lies under the bar, or under the notices, know how high they are. */
export const publishHeight = (name: `--${string}`) => (part: HTMLElement | null) => {
  if (part === null) return;
  const root = document.documentElement;
  // Told, not asked for: a question would lay out the page again. So would the height as the style sheet has
  // it already (room.css).
  const observer = new ResizeObserver(([entry]) => {
    const height = `${entry?.borderBoxSize[0]?.blockSize ?? 0}px`;
    if (getComputedStyle(root).getPropertyValue(name) !== height)
      root.style.setProperty(name, height);
  });
  observer.observe(part);
  return () => {
    observer.disconnect();
    root.style.removeProperty(name);
  };
};
const publishBarHeight = publishHeight('--bar-height');

/**
 * What of the bar is folded: words step by step; then all parts stand `tight`, a pomodoro below the clock. At
 * the last step the row breaks, which leaves room for some words again.
 */
const FOLDS = ['', '1', '1 2', '1 2 3', '1 2 3 4', '1 2 3 4 tight', '1 2 3 break'];

/** What fits on most phones: each step that is tried is laid out. */
const PHONE_FOLD = '1 2';
/** How long the row stands still before words come back: while it is loaded, its parts come one by one. */
const UNFOLD_AFTER_MS = 1_000;

/**
 * Keeps the row one row: folds as few words as it takes. Measured, as the row depends on the language, the
 * status, the room's name and a pomodoro, not on the window's width alone.
 */
function fitRow(row: HTMLElement | null) {
  if (row === null) return;
  let step = matchMedia('(width < 40rem)').matches ? FOLDS.indexOf(PHONE_FOLD) : 0;
  let unfolding: ReturnType<typeof setTimeout> | undefined;
  const fits = (tried: number) => {
    // Most rows fit at once: nothing is laid out again for them.
    if (row.dataset.fold !== FOLDS[tried]) row.dataset.fold = FOLDS[tried];
    return row.scrollWidth <= row.clientWidth;
  };
  const unfold = () => {
    while (step > 0 && fits(step - 1)) step -= 1;
    row.dataset.fold = FOLDS[step];
  };
  const fit = () => {
    while (!fits(step) && step < FOLDS.length - 1) step += 1;
    clearTimeout(unfolding);
    unfolding = setTimeout(unfold, UNFOLD_AFTER_MS);
  };
  row.dataset.fold = FOLDS[step];
  const observer = new ResizeObserver(fit);
  observer.observe(row);
  for (const part of row.children) observer.observe(part);
  return () => {
    observer.disconnect();
    clearTimeout(unfolding);
  };
}

/**
 * The room's name, one's own clock, what opens panels, and the way out. What one needs most (`data-dock`)
 * is at the bottom of a phone, in reach of the thumb.
 */
export function RoomBar(props: RoomBarProps) {
  const { live } = props;
  const { t } = useTranslation();
  const name = useStore(live.store, ({ about }) => about?.name);
  return (
    <div ref={publishBarHeight} data-bar className="room-bar">
      <div
        className={classNames(
          'flex min-w-0 items-center gap-1 *:not-first:shrink-0',
          // A name needs its row where the window is narrow, and gets what the row beside it leaves where it
          // is not; a number can do without.
          name === undefined
            ? 'shrink-0 max-lg:sr-only'
            : 'max-lg:basis-full max-lg:justify-between lg:max-w-max lg:shrink-0 lg:grow-[1000] lg:basis-72',
        )}
      >
        <h1 className="min-w-0 truncate text-body font-bold tabular-nums">
          {name ?? t('room.title', { number: live.roomId })}
        </h1>
        {props.about}
      </div>
      <div
        ref={fitRow}
        className="group/row flex min-w-0 flex-1 lg:flex-auto items-center gap-2 *:shrink-0 max-md:gap-1 data-[fold~=4]:gap-0.5 data-[fold~=break]:flex-wrap data-[fold~=break]:justify-end"
      >
        <div className="relative flex min-h-9 items-center gap-x-4 gap-y-2 group-data-[fold~=4]/row:gap-x-1.5 group-data-[fold~=break]/row:mr-auto group-data-[fold~=break]/row:flex-wrap">
          {props.timer}
        </div>
        <RoomTools {...props} />
        <span data-dock="2" className="dock:relative">
          <PanelButton panels={props.panels} panel="desk" icon={Target}>
            <span className="dock:group-data-[fold~=2]/row:sr-only">{t('room.desk')}</span>
            {props.deskMark}
          </PanelButton>
        </span>
        <span data-dock="3">{props.chat}</span>
        <span data-dock="4">
          <Button size="small" icon={LogOut} onClick={props.onLeave}>
            <span className="dock:group-data-[fold~=3]/row:sr-only">{t('room.leave')}</span>
          </Button>
        </span>
      </div>
    </div>
  );
}

/** The camera, and what opens panels. */
function RoomTools(props: RoomBarProps) {
  const { live, panels } = props;
  const { t } = useTranslation();
  const { kind } = useStore(live.store, ({ camera }) => camera);
  const peopleCount = useStore(live.store, ({ tiles }) => tiles.length);
  const hasCamera = kind === 'on' || kind === 'starting';
  return (
    <div className="room-tools">
      {props.board}
      <Button
        variant="quiet"
        size="small"
        icon={hasCamera ? Video : VideoOff}
        aria-disabled={props.isCameraKeptOff || undefined}
        aria-describedby={props.isCameraKeptOff ? CAMERA_NOTE_ID : undefined}
        onClick={() => props.isCameraKeptOff || turnCamera(!hasCamera)}
      >
        <span className="group-data-[fold~=1]/row:sr-only">
          {t(hasCamera ? 'room.cameraOff' : 'room.cameraOn')}
        </span>
      </Button>
      <PanelButton panels={panels} panel="people" icon={Users}>
        <span className="group-data-[fold~=3]/row:sr-only">
          {t('room.people', { count: peopleCount })}
        </span>
        <span aria-hidden="true" className="not-group-data-[fold~=3]/row:hidden">
          {peopleCount}
        </span>
      </PanelButton>
      <PanelButton panels={panels} panel="options" icon={SlidersHorizontal}>
        <span className="group-data-[fold~=1]/row:sr-only">{t('room.options')}</span>
      </PanelButton>
    </div>
  );
}
