import type { RoomId } from '@mogakgong/contract';
import { LogOut, Users } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';

interface RoomBarProps {
  readonly roomId: RoomId;
  readonly peopleCount: number;
  readonly isListOpen: boolean;
  readonly onToggleList: () => void;
  readonly listToggleRef: Ref<HTMLButtonElement>;
  readonly isLeaving: boolean;
  readonly onLeave: () => void;
  /** One's own clock and what it can do. */
  readonly timer: ReactNode;
}

/** The room's name, who is there, and the way out. */
export function RoomBar(props: RoomBarProps) {
  const { t } = useTranslation();
  return (
    <div
      data-bar
      className="sticky top-16 z-20 flex flex-wrap items-center gap-2 bg-ground px-4 py-2.5 sm:px-6"
    >
      <h1 className="mr-auto truncate text-body font-bold tabular-nums">
        {t('room.title', { number: props.roomId })}
      </h1>
      <div className="flex min-h-9 justify-center max-md:order-last max-md:basis-full">
        {props.timer}
      </div>
      <Button
        ref={props.listToggleRef}
        variant="quiet"
        size="small"
        icon={<Users size={18} aria-hidden="true" />}
        aria-expanded={props.isListOpen}
        onClick={props.onToggleList}
      >
        {t('room.people', { count: props.peopleCount })}
      </Button>
      <Button
        size="small"
        icon={<LogOut size={18} aria-hidden="true" />}
        loading={props.isLeaving}
        onClick={props.onLeave}
      >
        {t('room.leave')}
      </Button>
    </div>
  );
}
