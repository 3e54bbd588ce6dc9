import { useEffect } from 'react';
import { useStore } from 'zustand';
import { FocusClockText } from '../../features/focus/focus-clock.tsx';
import { BreakButton } from '../../features/focus/focus-controls.tsx';
import { toggleAway, toggleTimer } from '../../features/focus/own-timer.ts';
import { useShortcuts } from '../../features/focus/shortcuts.tsx';
import { useWakeLock } from '../../features/media/use-wake-lock.ts';
import { VideoPicture } from '../../features/media/video-picture.tsx';
import { paddedClockText } from '../../shared/clock/index.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { clockOf } from '../../shared/today/own-clock.ts';
import { useOwnClock, useTodaySeconds } from '../../shared/today/today.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Lamp, lightOf } from '../../shared/ui/lamp.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import type { RoomLive } from '../live/room-live.ts';
import { isLost, type Tile } from '../tiles/tiles.ts';

/** More would be too small to see. */
const MAX_NEIGHBOURS = 4;

interface MiniRoomViewProps {
  readonly live: RoomLive;
  /** The window that shows it. */
  readonly view: Window;
}

/** The mini room: the learner's own clock, today's time, the break button and some neighbours. */
export function MiniRoomView({ live, view }: MiniRoomViewProps) {
  const { t } = useTranslation(roomTexts);
  const tiles = useStore(live.store, (room) => room.tiles);
  const clock = useOwnClock(clockOf);
  const todaySeconds = useTodaySeconds(live.userId);
  const close = () => view.close();
  useShortcuts({ KeyB: toggleTimer, KeyA: toggleAway, KeyM: close }, view.document);
  // The page behind it may be hidden, and then cannot keep the screen awake.
  useWakeLock(true, view);
  useEffect(() => {
    view.document.title = t('mini.window');
  }, [view, t]);
  const status = clock?.status ?? 'idle';
  return (
    <main className="flex h-dvh flex-col gap-3 overflow-hidden bg-ground p-3 text-ink">
      <h1 className="sr-only">{t('mini.window')}</h1>
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="flex items-center gap-1.5 font-semibold text-small">
            <StatusDot status={status} />
            {t(`status.${status}`)}
          </p>
          <p className="font-bold text-[2rem] tabular-nums leading-tight">
            {clock ? <FocusClockText clock={clock} /> : '0:00:00'}
          </p>
          <p className="text-caption text-ink-soft tabular-nums">
            {t('mini.today', { time: paddedClockText((todaySeconds ?? 0) * 1_000) })}
          </p>
        </div>
        <BreakButton />
      </div>
      <Neighbours tiles={tiles} />
    </main>
  );
}

/** Learners with a picture come first; blocked and hidden ones are left out. */
function Neighbours({ tiles }: { readonly tiles: readonly Tile[] }) {
  const { t } = useTranslation(roomTexts);
  const others = tiles.filter(
    ({ isSelf, view }) => !isSelf && view !== 'blocked' && view !== 'hidden',
  );
  const isSeen = ({ view }: Tile) => view === 'picture';
  const shown = [...others.filter(isSeen), ...others.filter((tile) => !isSeen(tile))];
  const rest = shown.splice(MAX_NEIGHBOURS).length;
  if (others.length === 0) return <p className="text-caption text-ink-soft">{t('mini.alone')}</p>;
  return (
    <section aria-label={t('mini.neighbours')} className="min-h-0 flex-1">
      <ul className="grid max-h-full grid-cols-2 gap-2">
        {shown.map((tile) => (
          <Neighbour key={tile.userId} tile={tile} />
        ))}
      </ul>
      {rest > 0 && (
        <p className="mt-1 text-caption text-ink-soft">{t('mini.others', { count: rest })}</p>
      )}
    </section>
  );
}

function Neighbour({ tile }: { readonly tile: Tile }) {
  const { name, member, clock, picture, view } = tile;
  return (
    <li className="relative grid aspect-video min-w-0 place-items-center overflow-hidden rounded-small bg-raised">
      {picture && view === 'picture' ? (
        <VideoPicture picture={picture} />
      ) : (
        <Avatar name={name} size={36} image={member?.profileImage} />
      )}
      <p className="absolute inset-x-1 bottom-1 flex">
        <span className="flex min-w-0 items-center gap-1 rounded-full bg-surface/90 pr-2 pl-0.5 text-tiny">
          <Lamp light={isLost(tile) ? 'off' : lightOf(clock?.status)} size={18} />
          <span className="truncate">{name}</span>
        </span>
      </p>
    </li>
  );
}
