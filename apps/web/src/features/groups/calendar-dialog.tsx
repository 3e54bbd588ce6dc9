import {
  endGroupCalendar,
  type Group,
  readGroupCalendar,
  renewGroupCalendar,
  type UserId,
} from '@mogakgong/contract';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import { call } from '../../shared/api/index.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { SecretLink } from '../../shared/ui/secret-link.tsx';
import { useGroupChange } from './use-groups.ts';

interface CalendarDialogProps {
  readonly userId: UserId;
  readonly group: Group;
  readonly onClose: () => void;
}

/** The address of the learner's calendar of sessions: made on demand, replaceable, and ended. */
export function CalendarDialog({ userId, group, onClose }: CalendarDialogProps) {
  const { t } = useTranslation(groupsTexts);
  const { isBusy, change } = useGroupChange(userId);
  const { calendar } = group.own;
  const params = { groupId: group.groupId };
  const renew = () => void change(() => call(renewGroupCalendar, { params }));
  const end = () => void change(() => call(endGroupCalendar, { params }), t('calendar.ended'));
  return (
    <Dialog
      title={t('calendar.title')}
      onClose={onClose}
      actions={
        <>
          {calendar !== null && (
            <Button variant="quiet" loading={isBusy} onClick={end}>
              {t('calendar.end')}
            </Button>
          )}
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <div className="grid gap-4 text-ink">
        <p className="text-ink-soft text-small">{t('calendar.lead')}</p>
        {calendar === null ? (
          <div>
            <Button variant="primary" icon={CalendarPlus} loading={isBusy} onClick={renew}>
              {t('calendar.make')}
            </Button>
          </div>
        ) : (
          <SecretLink
            link={`${window.location.origin}${readGroupCalendar.path.replace(':calendar', calendar)}`}
            label={t('calendar.label')}
            hint={t('calendar.hint')}
            shareLabel={t('link.share')}
            renewLabel={t('link.renew')}
            isRenewing={isBusy}
            onRenew={renew}
          />
        )}
      </div>
    </Dialog>
  );
}
