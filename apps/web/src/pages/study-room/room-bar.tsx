import type { RoomId } from '@mogakgong/contract';
import { LogOut, Target, Users } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';

/** What opens beside the tiles, one at a time. */
export type RoomPanel = 'desk' | 'people';

interface RoomBarProps {
  readonly roomId: RoomId;
  readonly peopleCount: number;
  readonly open: RoomPanel | null;
  readonly onToggle: (panel: RoomPanel) => void;
  readonly toggleRefs: Readonly<Record<RoomPanel, Ref<HTMLButtonElement>>>;
  readonly isLeaving: boolean;
  readonly onLeave: () => void;
  /** One's own clock and what it can do. */
  readonly timer: ReactNode;
}

/** Where the header ends, under which the bar stands. */
const HEADER_PX = 64;

/** Tells what lies under the bar where that is: the bar has one row or more. */
function tellBottom(bar: HTMLElement | null) {
  if (bar === null) return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    style.setProperty('--bar-bottom', `${HEADER_PX + bar.offsetHeight}px`);
  });
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty('--bar-bottom');
  };
}

/** The room's name, who is there, and the way out. */
export function RoomBar(props: RoomBarProps) {
  const { t } = useTranslation();
  return (
    <div
      ref={tellBottom}
      data-bar
      className="sticky top-16 z-20 flex flex-wrap items-center gap-2 bg-ground px-4 py-2.5 sm:px-6"
    >
      <h1 className="min-w-0 flex-1 basis-20 truncate text-body font-bold tabular-nums">
        {t('room.title', { number: props.roomId })}
      </h1>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2 max-lg:order-last max-lg:basis-full">
        {props.timer}
      </div>
      <Button
        ref={props.toggleRefs.desk}
        variant="quiet"
        size="small"
        icon={<Target size={18} aria-hidden="true" />}
        aria-expanded={props.open === 'desk'}
        onClick={() => props.onToggle('desk')}
      >
        <span className="max-sm:sr-only">{t('room.desk')}</span>
      </Button>
      <Button
        ref={props.toggleRefs.people}
        variant="quiet"
        size="small"
        icon={<Users size={18} aria-hidden="true" />}
        aria-label={t('room.people', { count: props.peopleCount })}
        aria-expanded={props.open === 'people'}
        onClick={() => props.onToggle('people')}
      >
        <span className="max-sm:hidden">{t('room.people', { count: props.peopleCount })}</span>
        <span className="sm:hidden">{props.peopleCount}</span>
      </Button>
      <Button
        size="small"
        icon={<LogOut size={18} aria-hidden="true" />}
        loading={props.isLeaving}
        onClick={props.onLeave}
      >
        <span className="max-sm:sr-only">{t('room.leave')}</span>
      </Button>
    </div>
  );
}
