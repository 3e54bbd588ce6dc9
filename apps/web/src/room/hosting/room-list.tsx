import { HOSTED_ROOM, type RoomCard, type RoomId, type UserId } from '@mogakgong/contract';
import { DoorOpen } from 'lucide-react';
import Search from 'lucide-react/icons/search';
import { useState } from 'react';
import { Link } from 'wouter';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { EVERYTHING, NothingFound, StudySearch } from '../../shared/ui/study-search.tsx';
import { OpenRoomDialog } from './open-room-dialog.tsx';
import { RoomSummary } from './room-summary.tsx';
import { useCloseRoom, useHostedRooms } from './use-hosted-rooms.ts';

interface RoomListProps {
  readonly userId: UserId | null;
  /** The room the learner sits in, here or on another device. */
  readonly seatedIn: RoomId | null;
}

/** Public rooms, the learner's own rooms, and the button to open one. */
export function RoomList({ userId, seatedIn }: RoomListProps) {
  const { t } = useTranslation(roomTexts);
  const [query, setQuery] = useState(EVERYTHING);
  const { list, hasMore, showMore } = useHostedRooms(userId, query);
  const [isOpening, setIsOpening] = useState(false);
  // Folded, so that the first screen shows rooms.
  const [isSearching, setIsSearching] = useState(false);
  const own = list.value?.own ?? null;
  const canSearch = isSearching || (list.value?.total ?? 0) > 0;
  const toggleSearch = () => {
    setIsSearching(!isSearching);
    setQuery(EVERYTHING);
  };
  return (
    <Panel
      title={t('list.title')}
      actions={
        <>
          {canSearch && (
            <Button
              size="small"
              variant="quiet"
              icon={Search}
              aria-expanded={isSearching}
              onClick={toggleSearch}
            >
              {t('list.search')}
            </Button>
          )}
          {own === null && (
            <Button size="small" icon={DoorOpen} onClick={() => setIsOpening(true)}>
              {t('open.title')}
            </Button>
          )}
        </>
      }
    >
      {own && <OwnRoom room={own} isSeated={own.roomId === seatedIn} />}
      {isSearching && (
        <StudySearch query={query} onChange={setQuery} maxLength={HOSTED_ROOM.searchMaxLength} />
      )}
      <LoadState of={list}>
        {({ rooms: all }) => {
          const rooms = all.filter((room) => room.roomId !== own?.roomId);
          if (rooms.length === 0 && query !== EVERYTHING) return <NothingFound />;
          if (rooms.length === 0) return own === null && <Empty />;
          return (
            <ul className="-mx-3 grid grid-cols-[minmax(0,1fr)] gap-1">
              {rooms.map((room) => (
                <RoomRow key={room.roomId} room={room} />
              ))}
            </ul>
          );
        }}
      </LoadState>
      {hasMore && (
        <div>
          <Button size="small" loading={list.isLoading} onClick={showMore}>
            {t('list.more')}
          </Button>
        </div>
      )}
      {isOpening && <OpenRoomDialog onClose={() => setIsOpening(false)} />}
    </Panel>
  );
}

function Empty() {
  const { t } = useTranslation(roomTexts);
  return (
    <div className="grid justify-items-center gap-2 rounded-medium bg-raised px-5 py-8 text-center">
      <Lamp light="low" size={48} />
      <p className="font-semibold text-small">{t('list.empty')}</p>
      <p className="text-caption text-ink-soft">{t('list.emptyHelp')}</p>
    </div>
  );
}

interface OwnRoomProps {
  readonly room: RoomCard;
  /** The learner sits in it. */
  readonly isSeated: boolean;
}

/** The learner's own room, public or not: enter it, go back to it, or close it from outside. */
function OwnRoom({ room, isSeated }: OwnRoomProps) {
  const { t } = useTranslation(roomTexts);
  const closeRoom = useCloseRoom();
  return (
    <section
      aria-label={t('list.own')}
      className="grid gap-3 rounded-medium border border-line bg-lamp-wash p-4"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <p className="text-caption text-lamp-ink">{t('list.own')}</p>
        <RoomSummary room={room} />
      </div>
      <div className="flex flex-wrap gap-2">
        <LinkButton size="small" variant="primary" href={studyRoomPath(room.roomId)}>
          {t(isSeated ? 'list.backToSeat' : 'list.enterOwn')}
        </LinkButton>
        <Button size="small" variant="quiet" onClick={() => void closeRoom(room.roomId)}>
          {t('close.action')}
        </Button>
      </div>
    </section>
  );
}

function RoomRow({ room }: { readonly room: RoomCard }) {
  return (
    <li>
      <Link
        href={studyRoomPath(room.roomId)}
        className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-medium px-3 py-3 transition-[background-color] hover:bg-raised"
      >
        <RoomSummary room={room} />
      </Link>
    </li>
  );
}
