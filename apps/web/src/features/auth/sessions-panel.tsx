import {
  endLoginSession,
  endOtherLoginSessions,
  getLoginSessions,
  type LoginSession,
  type UserId,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { type AccountText, accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useMoments } from '../../shared/today/use-moments.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';

export const sessionsKey = (userId: UserId) => ['sessions', userId] as const;

/** The learner's log-ins by device, each with a button to end it. */
export function SessionsPanel({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(accountTexts);
  const loaded = useLoaded(
    sessionsKey(userId),
    (signal) => call(getLoginSessions, {}, { signal, fallback: t('sessions.loadFailed') }),
    { refetchOnWindowFocus: true },
  );
  const { mutate, isPending, variables } = useMutation({
    /** The id of one log-in, or null for all but this one. */
    mutationFn: (sessionId: string | null) => {
      const options = { fallback: t('sessions.endFailed') };
      return sessionId === null
        ? call(endOtherLoginSessions, {}, options)
        : call(endLoginSession, { params: { sessionId } }, options);
    },
    onSuccess: (left, sessionId) => {
      queryClient.setQueryData(sessionsKey(userId), left);
      notify.toast(t(sessionId === null ? 'sessions.othersEnded' : 'sessions.ended'), 'good');
    },
    onError: (error) => notifyFailure(error),
  });
  const end = (sessionId: string | null) => {
    if (!isPending) mutate(sessionId);
  };
  const hasOthers = loaded.value?.sessions.some(({ isOwn }) => !isOwn);
  return (
    <Panel
      title={t('sessions.title')}
      lead={t('sessions.lead')}
      actions={
        hasOthers && (
          <Button size="small" loading={isPending && variables === null} onClick={() => end(null)}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <LoadState of={loaded}>
        {({ sessions }) => (
          <ul className="grid gap-4">
            {sessions.map((session) => (
              <SessionRow
                key={session.sessionId}
                userId={userId}
                session={session}
                isEnding={isPending && variables === session.sessionId}
                onEnd={() => end(session.sessionId)}
              />
            ))}
          </ul>
        )}
      </LoadState>
    </Panel>
  );
}

interface SessionRowProps {
  readonly userId: UserId;
  readonly session: LoginSession;
  readonly isEnding: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ userId, session, isEnding, onEnd }: SessionRowProps) {
  const { t } = useTranslation(accountTexts);
  const { lastUsedAtMs, beganAtMs, isOwn, system } = session;
  const device = deviceName(t, session);
  const momentText = useMoments(userId);
  const isPhone = system === 'iPhone' || system === 'Android';
  const Icon = isPhone ? Smartphone : Monitor;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Icon size={22} aria-hidden="true" className="shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold">
          {device}
          {isOwn && (
            <span className="rounded-full bg-raised px-2 text-caption">{t('sessions.own')}</span>
          )}
        </p>
        <p className="text-ink-soft text-small">
          {t('sessions.lastUsed', { time: momentText(lastUsedAtMs) })}
          {' · '}
          {t('sessions.began', { time: momentText(beganAtMs) })}
        </p>
      </div>
      {!isOwn && (
        <Button
          size="small"
          loading={isEnding}
          aria-label={t('sessions.endDevice', { device })}
          onClick={onEnd}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}

/** The device in words, as far as known. */
function deviceName(t: AccountText, { browser, system }: LoginSession): string {
  if (browser !== null && system !== null) return t('sessions.device', { browser, system });
  return browser ?? system ?? t('sessions.unknownDevice');
}
