import { useRef } from 'react';
import { useStore } from 'zustand';
import { type RoomText, roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Announcement, useRegularAnnouncement } from '../../shared/ui/announcement.tsx';
import type { RoomLive } from '../live/room-live.ts';
import type { Tile } from '../tiles/tiles.ts';

/**
 * Announces tiles that appear and disappear, several at once in one sentence, politely: the text matches the
 * screen, also after a lost connection.
 */
export function PresenceAnnouncer({ live }: { readonly live: Pick<RoomLive, 'store'> }) {
  const { t } = useTranslation(roomTexts);
  // Until the members are known, nobody has come.
  const tiles = useStore(live.store, (room) => room.members && room.tiles);
  const announcedRef = useRef(tiles);
  // Blocked people are not announced: they have no name here.
  const isMissing = ({ userId, name, isSelf }: Tile, there: readonly Tile[]) =>
    !isSelf && name !== '' && there.every((other) => other.userId !== userId);
  const line = useRegularAnnouncement(() => {
    const before = announcedRef.current;
    announcedRef.current = tiles;
    if (tiles === null || before === null) return '';
    const came = tiles.filter((tile) => isMissing(tile, before));
    const left = before.filter((tile) => isMissing(tile, tiles));
    return [sentence(t, 'came', came), sentence(t, 'went', left)].filter(Boolean).join(' ');
  });
  return <Announcement line={line} testId="presence-announcement" />;
}

function sentence(t: RoomText, what: 'came' | 'went', tiles: readonly Tile[]): string {
  const [first] = tiles;
  if (first === undefined) return '';
  if (tiles.length === 1) return t(`presence.${what}`, { name: first.name });
  return t(`presence.${what}Many`, { count: tiles.length });
}
