import './room-bar.css';
import './room-bar-narrow.css';
import { LogOut, Users, Video, VideoOff } from 'lucide-react';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import Target from 'lucide-react/icons/target';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { useRootAttribute } from '../../shared/ui/use-root-attribute.ts';
import { turnCamera } from '../live/room-actions.ts';
import type { RoomLive } from '../live/room-live.ts';
import { PanelButton, type Panels } from '../panels/panels.tsx';

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
  /** The days until the next exam. */
  readonly exam: ReactNode;
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

/**
 * The room's name, the own clock, the panel buttons, and the exit. The most needed parts (`data-dock`) are at
 * the bottom of a phone, in reach of the thumb. Where the row is too narrow for a word there is only its icon
 * (room-bar.css, room-bar-narrow.css).
 */
export function RoomBar(props: RoomBarProps) {
  const { live } = props;
  const { t } = useTranslation();
  const name = useStore(live.store, ({ about }) => about?.name);
  useRootAttribute('data-room-bar');
  return (
    <div data-bar className="room-bar">
      {/* A number needs no row of its own. */}
      <div className={name === undefined ? 'shrink-0 max-lg:sr-only' : 'bar-name'}>
        <h1 className="truncate text-body font-bold tabular-nums">
          {name ?? t('room.title', { number: live.roomId })}
        </h1>
        <div className="shrink-0">{props.about}</div>
      </div>
      <div className="bar-row">
        <div className="bar-timer flex min-h-9 grow items-center">
          {props.timer}
          <div className="bar-rest">
            {props.exam}
            {props.pomodoro}
          </div>
        </div>
        <RoomTools {...props} />
        <span data-dock="2" className="dock:relative">
          <PanelButton panels={props.panels} panel="desk" icon={Target}>
            <span className="@max-[67rem]/bar:sr-only">{t('room.desk')}</span>
            {props.deskMark}
          </PanelButton>
        </span>
        <span data-dock="3">{props.chat}</span>
        <span data-dock="4">
          <Button size="small" icon={LogOut} onClick={props.onLeave}>
            <span className="@max-[55.5rem]/bar:sr-only">{t('room.leave')}</span>
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
        <span className="max-dock:sr-only @max-[91rem]/bar:sr-only">
          {t(hasCamera ? 'room.cameraOff' : 'room.cameraOn')}
        </span>
      </Button>
      <PanelButton panels={panels} panel="people" icon={Users}>
        <span className="sr-only">{t('room.people', { count: peopleCount })}</span>
        <span aria-hidden="true" className="people-count">
          {peopleCount}
        </span>
      </PanelButton>
      <PanelButton panels={panels} panel="options" icon={SlidersHorizontal}>
        <span className="max-dock:sr-only @max-[78rem]/bar:sr-only">{t('room.options')}</span>
      </PanelButton>
    </div>
  );
}
