import type { ReactNode } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Lamp, type LampLight } from '../../shared/ui/lamp.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';

interface RoomMessageProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  readonly light?: LampLight;
  /** Something is under way. */
  readonly isBusy?: boolean;
}

/** What stands in the room's place while there is no room to show: what is so, and the way on. */
export function RoomMessage({ title, text, actions, light = 'off', isBusy }: RoomMessageProps) {
  return (
    <div className="m-auto grid w-full max-w-lg justify-items-center gap-4 px-5 py-12 text-center">
      <Lamp light={light} size={88} />
      <div role="status" className="grid justify-items-center gap-3">
        <h1 className="flex items-center gap-3 text-title font-bold">
          {isBusy && <Spinner />}
          {title}
        </h1>
        {text && <div className="text-pretty text-ink-soft">{text}</div>}
      </div>
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-3">{actions}</div>}
    </div>
  );
}

/** While the room of one's seat opens: where the room will be. */
export function Entering() {
  const { t } = useTranslation();
  return (
    <div className="room">
      <RoomMessage title={t('room.entering')} light="low" isBusy />
    </div>
  );
}
