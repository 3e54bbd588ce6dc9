import type { Member } from '@mogakgong/contract';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { NameMenu } from '../../features/blocks/index.ts';
import type { Tile } from '../../features/media/room.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { profileImageAddress } from '../../shared/ui/profile-image.ts';

interface PeoplePanelProps {
  readonly selfId: number;
  readonly tiles: readonly Tile[];
  /** Who is seated; null while that is not known. */
  readonly members: readonly Member[] | null;
  readonly onClose: () => void;
}

/** Closes on Escape, wherever the focus is; a menu or window that is open keeps it for itself. */
function useEscape(onEscape: () => void): void {
  const onEscapeRef = useRef(onEscape);
  useEffect(() => {
    onEscapeRef.current = onEscape;
  });
  useEffect(() => {
    const heed = (event: KeyboardEvent) => {
      const isFree = !event.isComposing && document.querySelector('dialog[open]') === null;
      if (event.key === 'Escape' && isFree) onEscapeRef.current();
    };
    document.addEventListener('keydown', heed);
    return () => document.removeEventListener('keydown', heed);
  }, []);
}

/**
 * Who is in the room, in the order of the tiles: beside them, or on narrow screens over them and
 * under the bar that opens it. Takes the focus; a press outside closes it where it lies over the tiles.
 */
export function PeoplePanel({ selfId, tiles, members, onClose }: PeoplePanelProps) {
  const { t } = useTranslation();
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus(), []);
  useEscape(onClose);
  const byIdentity = new Map(members?.map((member) => [String(member.userId), member]));
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        data-testid="people-scrim"
        className="fixed inset-x-0 top-[7.5rem] bottom-0 z-40 cursor-default bg-shade lg:hidden"
        onClick={onClose}
      />
      <section
        ref={ref}
        tabIndex={-1}
        aria-label={t('room.peopleTitle')}
        className="flex flex-col border-line border-l bg-surface outline-none max-lg:fixed max-lg:top-[7.5rem] max-lg:right-0 max-lg:bottom-0 max-lg:z-40 max-lg:w-[min(20rem,85vw)] max-lg:shadow-float lg:w-72 lg:border-t"
      >
        <header className="flex items-center justify-between py-2 pr-2 pl-5">
          <h2 className="text-body font-bold">{t('room.peopleTitle')}</h2>
          <button
            type="button"
            aria-label={t('common.close')}
            className="grid size-11 place-items-center rounded-full text-ink-soft hover:bg-raised hover:text-ink"
            onClick={onClose}
          >
            <X size={20} aria-hidden="true" />
          </button>
        </header>
        <ul className="min-h-0 flex-1 overflow-y-auto px-3 pb-4">
          {tiles.map((tile) => (
            <Person
              key={tile.identity}
              selfId={selfId}
              tile={tile}
              member={byIdentity.get(tile.identity)}
            />
          ))}
        </ul>
      </section>
    </>
  );
}

interface PersonProps {
  readonly selfId: number;
  readonly tile: Tile;
  readonly member: Member | undefined;
}

function Person({ selfId, tile, member }: PersonProps) {
  const { t } = useTranslation();
  const isLost = member?.connection === 'lost';
  return (
    <li className="flex min-h-12 items-center gap-3 rounded-small px-2 text-small">
      <Avatar name={tile.name} size={32} src={member && profileImageAddress(member.profileImage)} />
      <div className="min-w-0 flex-1">
        {tile.isSelf ? (
          <p className="truncate">{t('tile.self', { name: tile.name })}</p>
        ) : (
          <NameMenu
            selfId={selfId}
            userId={Number(tile.identity)}
            name={tile.name}
            className="block max-w-full truncate rounded-small hover:underline"
          />
        )}
        {isLost && <p className="text-caption text-ink-soft">{t('tile.connectionLost')}</p>}
      </div>
    </li>
  );
}
