import { X } from 'lucide-react';
import type { Tile } from '../../features/media/room.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';

interface PeoplePanelProps {
  readonly tiles: readonly Tile[];
  readonly onClose: () => void;
}

/** Who is in the room, in the order of the tiles. */
export function PeoplePanel({ tiles, onClose }: PeoplePanelProps) {
  const { t } = useTranslation();
  return (
    <aside
      aria-label={t('room.peopleTitle')}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      className="flex flex-col border-line border-l bg-surface max-lg:fixed max-lg:top-16 max-lg:right-0 max-lg:bottom-0 max-lg:z-20 max-lg:w-[min(20rem,85vw)] max-lg:shadow-float lg:w-72"
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
          <li
            key={tile.identity}
            className="flex min-h-11 items-center gap-3 rounded-small px-2 text-small"
          >
            <Avatar name={tile.name} size={28} />
            <span className="truncate">
              {tile.isSelf ? t('tile.self', { name: tile.name }) : tile.name}
            </span>
          </li>
        ))}
      </ul>
    </aside>
  );
}
