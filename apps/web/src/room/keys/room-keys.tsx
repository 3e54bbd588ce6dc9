import type { UserId } from '@mogakgong/contract';
import Minimize from 'lucide-react/icons/minimize';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { OwnStatusTime } from '../../features/focus/focus-clock.tsx';
import { isFree, KeyHint, useShortcuts } from '../../features/focus/shortcuts.tsx';
import { paddedClockText } from '../../shared/clock/index.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { clockOf } from '../../shared/today/own-clock.ts';
import { useOwnClock, useTodaySeconds } from '../../shared/today/today.ts';
import { Button } from '../../shared/ui/button.tsx';
import { useRootAttribute } from '../../shared/ui/use-root-attribute.ts';
import type { RoomLive } from '../live/room-live.ts';
import { toggleSelfView, useRoomView } from '../live/room-view.ts';
import type { Panels } from '../panels/panels.tsx';
import { nodTo } from '../tiles/learner-name.tsx';
import { setFullScreen, toggleFullScreen } from './full-screen.ts';

/** Idle time in ms after which secondary parts fade. */
const IDLE_AFTER_MS = 4_000;
const SIGNS_OF_LOOKING = ['pointermove', 'pointerdown', 'wheel', 'keydown', 'focusin'] as const;

const isMenuOpen = () => document.querySelector('[role="menu"]') !== null;

interface RoomKeysProps {
  readonly live: Pick<RoomLive, 'store'>;
  readonly panels: Pick<Panels, 'open' | 'toggle'>;
}

/** The room's shortcuts beside those of the timer and the board; in full screen the clock and the exit. */
export function RoomKeys({ live, panels }: RoomKeysProps) {
  const isFullScreen = useRoomView((view) => view.isFullScreen);
  const nod = () => nodToFocusedTile(live);
  const toggleLeaderboard = () => panels.toggle('leaderboard');
  useShortcuts({
    KeyF: toggleFullScreen,
    KeyV: toggleSelfView,
    KeyN: nod,
    KeyT: toggleLeaderboard,
  });
  useStepKeys({ live, panels });
  useIdleMark();
  useRootAttribute('data-full-screen', isFullScreen);
  const panel = panels.open;
  const panelRef = useRef(panel);
  // A panel ends full screen, which would hide it.
  useEffect(() => {
    if (panelRef.current !== panel) setFullScreen(false);
    panelRef.current = panel;
  }, [panel]);
  useEffect(() => leaveView, []);
  return isFullScreen ? <FullScreenBar live={live} /> : null;
}

/** Today's focus and the own status below the pictures, and the button that ends full screen. */
function FullScreenBar({ live }: Pick<RoomKeysProps, 'live'>) {
  const { t } = useTranslation(roomTexts);
  const clock = useOwnClock(clockOf);
  const today = useTodaySeconds(useStore(live.store, ({ selfId }) => selfId));
  return (
    <>
      {clock && (
        <p className="full-screen-clock">
          <span>{t('focus.today')}</span>
          <span role="timer">{paddedClockText((today ?? 0) * 1_000)}</span>
          <span className="flex gap-[0.35em]">
            {t(`status.${clock.status}`)} <OwnStatusTime clock={clock} />
          </span>
        </p>
      )}
      <div className="full-screen-end">
        <Button size="small" icon={Minimize} onClick={toggleFullScreen}>
          <span className="inline-flex items-center gap-2 max-lg:sr-only">
            {t('screen.fullEnd')}
            <KeyHint name="F" />
          </span>
        </Button>
      </div>
    </>
  );
}

/** Resets the view when the room is left. */
function leaveView(): void {
  setFullScreen(false);
  useRoomView.setState({ enlarged: null });
}

/** Escape ends full screen or reduces the enlarged tile; arrows enlarge its neighbour instead. */
function useStepKeys({ live, panels }: RoomKeysProps): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { isFullScreen, enlarged } = useRoomView.getState();
    if (!isFree(event)) return;
    if (event.key === 'Escape' && isFullScreen) {
      event.stopPropagation();
      setFullScreen(false);
    } else if (enlarged !== null && panels.open === null && !isMenuOpen()) {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === 'Escape') useRoomView.setState({ enlarged: null });
      else if (step !== undefined) enlargeNeighbour(live, enlarged, step);
    }
  });
  useEffect(() => {
    // Runs before the panels, which Escape closes one after the other.
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}

/** Nods to the neighbour on the focused tile. */
function nodToFocusedTile(live: RoomKeysProps['live']): void {
  const tile = document.activeElement?.closest<HTMLElement>('[data-participant-identity]');
  const userId = Number(tile?.dataset.participantIdentity);
  const neighbour = live.store.getState().tiles.find((each) => each.userId === userId);
  if (!neighbour?.member || neighbour.isSelf) return;
  nodTo({ userId: neighbour.member.userId, name: neighbour.name });
}

/** Moves the focus along if it is on the picture. */
function enlargeNeighbour(live: RoomKeysProps['live'], enlarged: UserId, step: number): void {
  const { tiles } = live.store.getState();
  const order = step > 0 ? tiles : tiles.toReversed();
  const at = order.findIndex(({ userId }) => userId === enlarged);
  // Works from the tile's position even if it is hidden; the first follows the last.
  const neighbours = [...order.slice(at + 1), ...order.slice(0, at)];
  const next = neighbours.find(({ view }) => view !== 'hidden' && view !== 'blocked')?.userId;
  if (next === undefined) return;
  useRoomView.setState({ enlarged: next });
  if (!document.activeElement?.matches('[data-enlarge]')) return;
  const picture = `[data-participant-identity="${next}"] [data-enlarge]`;
  document.querySelector<HTMLElement>(picture)?.focus();
}

/** Marks the page as idle while the learner does not point, type or move the focus. */
function useIdleMark(): void {
  useEffect(() => {
    const root = document.documentElement;
    let timer: ReturnType<typeof setTimeout>;
    const wake = () => {
      root.removeAttribute('data-idle');
      clearTimeout(timer);
      timer = setTimeout(() => root.setAttribute('data-idle', ''), IDLE_AFTER_MS);
    };
    for (const sign of SIGNS_OF_LOOKING) document.addEventListener(sign, wake, { passive: true });
    wake();
    return () => {
      clearTimeout(timer);
      root.removeAttribute('data-idle');
      for (const sign of SIGNS_OF_LOOKING) document.removeEventListener(sign, wake);
    };
  }, []);
}
