import type { Member, UserId } from '@mogakgong/contract';
import Sunrise from 'lucide-react/icons/sunrise';
import { Suspense } from 'react';
import { useStore } from 'zustand';
import { FocusClockText } from '../../features/focus/focus-clock.tsx';
import { KeyHint } from '../../features/focus/shortcuts.tsx';
import { roomTexts, studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useTileClock } from '../../shared/today/today.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import type { RoomLive } from '../live/room-live.ts';
import { LearnerName, OwnName } from '../tiles/learner-name.tsx';
import { isLost, type Tile } from '../tiles/tiles.ts';
import type { Panels } from './panels.tsx';
import { SidePanel } from './side-panel.tsx';

interface PeoplePanelProps {
  readonly live: Pick<RoomLive, 'userId' | 'store'>;
  readonly panels: Pick<Panels, 'toggle' | 'close'>;
}

/** The people in the room with their status, in the order of the tiles. */
export function PeoplePanel({ live, panels }: PeoplePanelProps) {
  const { t } = useTranslation();
  const tiles = useStore(live.store, (room) => room.tiles);
  const members = useStore(live.store, (room) => room.members);
  const blocked = useStore(live.store, (room) => room.blocked);
  const shown = new Set([...blocked, ...tiles.map(({ userId }) => userId)]);
  const gone = (members ?? []).filter(({ userId }) => !shown.has(userId));
  return (
    <SidePanel title={t('room.peopleTitle')} onClose={panels.close}>
      <div className="px-5 pb-2">
        <Suspense>
          <LeaderboardButton onOpen={() => panels.toggle('leaderboard')} />
        </Suspense>
      </div>
      <ul className="px-3">
        {tiles.map((tile) => (
          <Person key={tile.userId} selfId={live.userId} tile={tile} />
        ))}
      </ul>
      <div className="px-3 pb-24">
        <Suspense>{gone.length > 0 && <Gone members={gone} />}</Suspense>
      </div>
    </SidePanel>
  );
}

/** Opens the leaderboard. */
function LeaderboardButton({ onOpen }: { readonly onOpen: () => void }) {
  const { t } = useTranslation(studyTexts);
  return (
    <Button size="small" wide icon={Sunrise} aria-keyshortcuts="T" onClick={onOpen}>
      {t('leaderboard.title')}
      <KeyHint name="T" />
    </Button>
  );
}

/** Members without both connections: their seats are kept for a while. */
function Gone({ members }: { readonly members: readonly Member[] }) {
  const { t } = useTranslation(roomTexts);
  const names = members.map(({ nickname }) => nickname).join(', ');
  return <p className="px-2 pt-3 text-caption text-ink-soft">{t('room.gone', { names })}</p>;
}

interface PersonProps {
  readonly selfId: UserId;
  readonly tile: Tile;
}

function Person({ selfId, tile }: PersonProps) {
  const { t } = useTranslation();
  const { member } = tile;
  const clock = useTileClock(tile);
  return (
    <li className="flex min-h-12 items-center gap-3 rounded-small px-2 text-small">
      <Avatar name={tile.name} size={32} image={member?.profileImage} />
      <div className="min-w-0 flex-1">
        {tile.isSelf ? (
          <OwnName name={tile.name} />
        ) : (
          <LearnerName selfId={selfId} userId={tile.userId} name={tile.name} />
        )}
        {isLost(tile) && (
          <p className="said-late text-caption text-ink-soft">{t('tile.connectionLost')}</p>
        )}
      </div>
      {clock && (
        <p className="flex items-center gap-2 whitespace-nowrap text-caption text-ink-soft">
          <StatusDot status={clock.status} />
          {t(`status.${clock.status}`)}
          <FocusClockText clock={clock} isStill={tile.view === 'connectionLost'} />
        </p>
      )}
    </li>
  );
}
