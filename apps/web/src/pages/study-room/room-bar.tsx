import { LogOut, Users, Video, VideoOff } from 'lucide-react';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import Target from 'lucide-react/icons/target';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { turnCamera } from '../../room/room-actions.ts';
import type { RoomLive } from '../../room/room-live.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { useRootAttribute } from '../../shared/ui/use-root-attribute.ts';
import { PanelButton, type Panels } from './panels.tsx';

interface RoomBarProps {
  readonly live: Pick<RoomLive, 'roomId' | 'store'>;
  /** A sanction keeps the own camera off: the notice under the bar says why. */
  readonly isCameraKeptOff: boolean;
  readonly panels: Panels;
  readonly onLeave: () => void;
  /** Opens the description of a hosted room; nothing in other rooms. */
  readonly about: ReactNode;
  /** The learner's own clock and its buttons. */
  readonly timer: ReactNode;
  /** The room's schedule, if it has one. */
  readonly pomodoro: ReactNode;
  /** A mark on the button of the own desk: there is news. */
  readonly deskMark: ReactNode;
  /** Opens the whiteboard. */
  readonly board: ReactNode;
  /** Opens the chat. */
  readonly chat: ReactNode;
}

/** The element that says why the own camera cannot be turned on. */
export const CAMERA_NOTE_ID = 'camera-note';

/** Publishes the height of the bar or the notices to the parts below them. */
export const publishHeight = (name: `--${string}`) => (part: HTMLElement | null) => {
  if (part === null) return;
  const root = document.documentElement;
  // The observer reports sizes without forcing a layout. Heights equal to the style sheet's defaults are not
  // written, because that would also cause one (room.css).
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
 * Steps of folding the bar: words first, one by one; then all parts are `tight`. At the last step the row
 * breaks, which leaves room for some words again.
 */
const FOLDS = ['', '1', '1 2', '1 2 3', '1 2 3 4', '1 2 3 4 tight', '1 2 3 break'];
/** Steps of folding a pomodoro: its words, then its icon, until it is `below` the clock. */
const POMODORO_FOLDS = ['', 'short', 'short word', 'short icon', 'below'];

/** The step that fits most phones: each tried step costs a layout. */
const PHONE_FOLD = '1 2';
/** Words come back after the size was stable this long: while the page loads, parts appear one by one. */
const UNFOLD_AFTER_MS = 1_000;

interface Folding {
  readonly folds: readonly string[];
  readonly firstFold: string;
  readonly isWithin: () => boolean;
  /** Elements that are observed beside the container itself. */
  readonly parts: Iterable<Element>;
}

/**
 * Applies the smallest step of folding that fits the container. Measured, because it depends on the language,
 * the status, the room's name and a pomodoro, not only on the window's width.
 */
function collapseToFit(place: HTMLElement, { folds, firstFold, isWithin, parts }: Folding) {
  let step = folds.indexOf(firstFold);
  let unfolding: ReturnType<typeof setTimeout> | undefined;
  const fits = (tried: number) => {
    // Most containers fit at once, without another layout.
    if (place.dataset.fold !== folds[tried]) place.dataset.fold = folds[tried];
    return isWithin();
  };
  const unfold = () => {
    while (step > 0 && fits(step - 1)) step -= 1;
    place.dataset.fold = folds[step];
  };
  const fit = () => {
    while (!fits(step) && step < folds.length - 1) step += 1;
    clearTimeout(unfolding);
    unfolding = setTimeout(unfold, UNFOLD_AFTER_MS);
  };
  place.dataset.fold = folds[step];
  const observer = new ResizeObserver(fit);
  observer.observe(place);
  for (const part of parts) observer.observe(part);
  return () => {
    observer.disconnect();
    clearTimeout(unfolding);
  };
}

/** Keeps the row in one line. */
function fitRow(row: HTMLElement | null) {
  if (row === null) return;
  return collapseToFit(row, {
    folds: FOLDS,
    firstFold: matchMedia('(width < 40rem)').matches ? PHONE_FOLD : '',
    isWithin: () => row.scrollWidth <= row.clientWidth,
    // The pomodoro gets the remaining space: it changes with each of the others.
    parts: row.querySelectorAll(':scope > *, [data-pomodoro]'),
  });
}

/** Keeps a pomodoro within the remaining space of the row: it comes and goes without moving a button. */
function fitPomodoro(place: HTMLElement | null) {
  const part = place?.firstElementChild;
  if (!place || !part) return;
  return collapseToFit(place, {
    folds: POMODORO_FOLDS,
    firstFold: '',
    isWithin: () => part.clientWidth <= place.clientWidth,
    parts: [part],
  });
}

/**
 * The room's name, the own clock, the panel buttons, and the exit. The most needed parts (`data-dock`) are at
 * the bottom of a phone, in reach of the thumb.
 */
export function RoomBar(props: RoomBarProps) {
  const { live } = props;
  const { t } = useTranslation();
  const name = useStore(live.store, ({ about }) => about?.name);
  useRootAttribute('data-room-bar');
  return (
    <div ref={publishBarHeight} data-bar className="room-bar">
      <div
        className={classNames(
          'flex min-w-0 items-center gap-1 *:not-first:shrink-0',
          // In a narrow window a name needs its own row; in a wide one it gets the remaining space. A number
          // needs none.
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
        <div className="relative flex min-h-9 grow items-center">
          {props.timer}
          <div ref={fitPomodoro} data-pomodoro className="group/pomodoro w-0 grow lg:min-w-13">
            <div className="w-max">{props.pomodoro}</div>
          </div>
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

/** The camera button and the panel buttons. */
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
