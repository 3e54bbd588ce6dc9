import type { UserId } from '@mogakgong/contract';
import { SignalFields } from '../../features/pomodoro/signal-fields.tsx';
import { accountTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { Panel } from '../../shared/ui/panel.tsx';

const PushSection = onDemand(
  async () => (await import('../../features/push/push-section.tsx')).PushSection,
);

/** The notifications of the account, and the signals of this browser. */
export function NotificationsSection({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(accountTexts);
  return (
    <>
      <PushSection userId={userId} />
      <Panel title={t('notifications.pomodoro')} lead={t('notifications.pomodoroLead')}>
        <div className="grid gap-2">
          <SignalFields userId={userId} />
        </div>
      </Panel>
    </>
  );
}
