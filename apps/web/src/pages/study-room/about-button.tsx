import type { RoomAbout, RoomId, UserId } from '@mogakgong/contract';
import { CircleHelp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useHostView } from '../../features/hosting/host-view.ts';
import { hostingTexts } from '../../features/hosting/hosting-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { PanelButton, type Panels } from './panels.tsx';

interface AboutButtonProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly about: RoomAbout;
  readonly panels: Panels;
}

/** Opens what a hosted room is about; tells its host who waits to be let in. */
export function AboutButton({ userId, roomId, about, panels }: AboutButtonProps) {
  const { t } = useTranslation(hostingTexts);
  const isHost = about.hostId === userId;
  const { value } = useHostView(userId, roomId, isHost);
  const waiting = isHost ? (value?.waiting ?? []) : [];
  const knownRef = useRef<readonly number[]>([]);
  useEffect(() => {
    const newcomer = waiting.find((guest) => !knownRef.current.includes(guest.userId));
    knownRef.current = waiting.map((guest) => guest.userId);
    if (newcomer) notify.toast(t('host.asks', { name: newcomer.nickname }));
  }, [waiting, t]);
  const wasHostRef = useRef(isHost);
  useEffect(() => {
    if (isHost && !wasHostRef.current) notify.toast(t('host.became'), 'good');
    wasHostRef.current = isHost;
  }, [isHost, t]);
  const count = waiting.length;
  return (
    <PanelButton
      panels={panels}
      panel="about"
      variant={count > 0 ? 'primary' : 'quiet'}
      icon={CircleHelp}
    >
      <span className="max-sm:sr-only">{t('about.button')}</span>
      {count > 0 && (
        <>
          <span aria-hidden="true" className="tabular-nums">
            {count}
          </span>
          <span className="sr-only">{t('about.waiting', { count })}</span>
        </>
      )}
    </PanelButton>
  );
}
