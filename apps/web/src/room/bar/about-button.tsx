import type { HostView, RoomAbout, RoomId, UserId } from '@mogakgong/contract';
import { CircleHelp } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { useHostView } from '../hosting/host-view.ts';
import { PanelButton, type Panels } from '../panels/panels.tsx';

/** Downloaded by guests only. */
const HostOffer = onDemand(async () => (await import('../hosting/host-offer.tsx')).HostOffer, {
  isQuiet: true,
});

interface AboutButtonProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly about: RoomAbout;
  readonly panels: Panels;
}

/** Opens the description of a hosted room; announces waiting people to its host. */
export function AboutButton({ userId, roomId, about, panels }: AboutButtonProps) {
  const { t } = useTranslation(roomTexts);
  const isHost = about.hostId === userId;
  const { value } = useHostView(userId, roomId, isHost);
  const waiting = isHost ? (value?.waiting ?? []) : [];
  useRequestToasts(waiting, panels);
  const wasHostRef = useRef(isHost);
  useEffect(() => {
    if (isHost && !wasHostRef.current) notify.toast(t('host.became'), 'good');
    wasHostRef.current = isHost;
  }, [isHost, t]);
  const count = waiting.length;
  return (
    <>
      {!isHost && !about.isGroup && <HostOffer userId={userId} roomId={roomId} />}
      <PanelButton
        panels={panels}
        panel="about"
        variant={count > 0 ? 'primary' : 'quiet'}
        icon={CircleHelp}
      >
        <span className="max-sm:sr-only lg:max-xl:sr-only">{t('about.title')}</span>
        {count > 0 && (
          <>
            <span aria-hidden="true" className="tabular-nums">
              {count}
            </span>
            <span className="sr-only">{t('about.waiting', { count })}</span>
          </>
        )}
      </PanelButton>
    </>
  );
}

/**
 * Announces each request to enter, with a link to the panel that answers it. The toast disappears once the
 * panel is open, or the request is answered or withdrawn.
 */
function useRequestToasts(waiting: HostView['waiting'], panels: Panels): void {
  const { t } = useTranslation(roomTexts);
  const isAnswering = panels.open === 'about';
  const openPanel = useEffectEvent(() => panels.toggle('about'));
  const announce = useEffectEvent((name: string) => {
    const show = { label: t('host.show'), onPress: openPanel };
    return notify.toast(t('host.asks', { name }), 'plain', isAnswering ? undefined : show);
  });
  /** The toast of each request, by its sender. */
  const toastsRef = useRef(new Map<UserId, number>());
  useEffect(() => {
    const toasts = toastsRef.current;
    for (const { userId, nickname } of waiting) {
      if (!toasts.has(userId)) toasts.set(userId, announce(nickname));
    }
    for (const [userId, toast] of toasts) {
      if (waiting.some((guest) => guest.userId === userId)) continue;
      notify.dismissToast(toast);
      toasts.delete(userId);
    }
  }, [waiting]);
  useEffect(() => {
    const toasts = toastsRef.current;
    const withdraw = () => {
      for (const toast of toasts.values()) notify.dismissToast(toast);
    };
    return isAnswering ? undefined : withdraw;
  }, [isAnswering]);
}
