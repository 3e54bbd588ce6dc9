import type { ReactNode } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';

interface NoticeBarProps {
  readonly tone: 'waiting' | 'bad';
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** A strip above the tiles: something is wrong, and the room goes on. */
export function NoticeBar({ tone, children, action }: NoticeBarProps) {
  return (
    <div
      className={classNames(
        'mx-4 mb-2.5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-medium px-4 py-3 text-small sm:mx-6',
        tone === 'bad' ? 'bg-danger-wash' : 'bg-lamp-wash',
      )}
    >
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  );
}
