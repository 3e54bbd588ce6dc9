import type { RoomCard } from '@mogakgong/contract';
import { Users } from 'lucide-react';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { CategoryChip } from '../../shared/ui/category-chip.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { RoomRules } from './room-rules.tsx';

/** Name, goal, number of people, and conditions. */
export function RoomSummary({ room }: { readonly room: RoomCard }) {
  const { t } = useTranslation(roomTexts);
  const { learners, capacity, hostName } = room;
  const isFull = learners >= capacity;
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="line-clamp-2 min-w-0 break-words font-semibold">{room.name}</span>
        <span
          className={classNames(
            'inline-flex shrink-0 items-center gap-1.5 text-small tabular-nums',
            learners > 0 && !isFull ? 'font-semibold text-lamp-ink' : 'text-ink-soft',
          )}
        >
          <Users size={14} aria-hidden="true" />
          <span aria-hidden="true">{t('list.seats', { learners, capacity })}</span>
          <span className="sr-only">{t('list.seatsLabel', { learners, capacity })}</span>
        </span>
      </span>
      {room.goal && <span className="text-ink-soft text-small">{room.goal}</span>}
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-caption text-ink-soft">
        <CategoryChip category={room.category} />
        <span>{hostName ? t('list.host', { name: hostName }) : t('list.noHost')}</span>
        <RoomRules room={room} />
        {isFull && <span>{t('list.full')}</span>}
      </span>
    </>
  );
}
