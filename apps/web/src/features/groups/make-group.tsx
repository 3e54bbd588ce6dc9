import { type FocusSettings, getFocusSettings, openGroup, type UserId } from '@mogakgong/contract';
import { useLocation } from 'wouter';
import { call } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { timeOfDayText } from '../../shared/clock/index.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { groupPath } from '../../shared/lib/paths.ts';
import { GroupForm } from './group-form.tsx';
import { reloadGroups } from './use-groups.ts';

interface MakeGroupProps {
  readonly userId: UserId;
  readonly onClose: () => void;
}

/** Makes a group and leads to its page. The days of the group begin when those of its maker do. */
export function MakeGroup({ userId, onClose }: MakeGroupProps) {
  const { t } = useTranslation(groupsTexts);
  const [, navigate] = useLocation();
  const days = useLoaded(['groupDays', userId], (signal) => call(getFocusSettings, {}, { signal }));
  return (
    <GroupForm
      title={t('groups.make')}
      submit={t('form.submit')}
      group={null}
      note={<Notes days={days.value} />}
      send={async (choices) => {
        const fallback = t('groups.failed');
        const { timeZone, dayStartMinutes } =
          days.value ?? (await call(getFocusSettings, {}, { fallback }));
        const body = { ...choices, timeZone, dayStartMinutes };
        const { groupId } = await call(openGroup, { body }, { fallback });
        void reloadGroups(userId);
        navigate(groupPath(groupId));
      }}
      onClose={onClose}
    />
  );
}

/** When the days of the group begin, and what its members see of each other. */
function Notes({ days }: { readonly days: FocusSettings | null }) {
  const { t } = useTranslation(groupsTexts);
  return (
    <div className="grid gap-1.5 text-caption text-ink-soft">
      {days && (
        <p>
          {t('form.dayNote', { start: timeOfDayText(days.dayStartMinutes), zone: days.timeZone })}
        </p>
      )}
      <p>{t('form.shared')}</p>
    </div>
  );
}
