import {
  type GroupId,
  REPORT_DESCRIPTION_MAX_LENGTH,
  type ReportReason,
  reportGroup,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { SelectField, TextareaField } from '../../shared/ui/inputs.tsx';
import { notify } from '../../shared/ui/notify.ts';

const REASONS = ['ABUSE', 'OBSCENE_CONTENT', 'DISTURBANCE'] as const;

interface ReportGroupProps {
  readonly groupId: GroupId;
  readonly onClose: () => void;
}

/** Reports the texts of a group: its name, goal and notice. */
export function ReportGroup({ groupId, onClose }: ReportGroupProps) {
  const { t } = useTranslation(groupsTexts);
  const form = useForm({
    initial: { reason: 'ABUSE' as string, description: '' },
    send: async ({ reason, description: text }) => {
      const description = text.trim();
      const body = {
        reason: reason as ReportReason,
        ...(description !== '' && { description }),
      };
      await call(reportGroup, { params: { groupId }, body }, { fallback: t('groups.failed') });
      onClose();
      notify.toast(t('report.done'), 'good');
    },
  });
  return (
    <FormDialog title={t('report.title')} submit={t('report.submit')} form={form} onClose={onClose}>
      <p className="text-ink-soft text-small">{t('report.lead')}</p>
      <SelectField {...form.field('reason')} label={t('report.reason')}>
        {REASONS.map((reason) => (
          <option key={reason} value={reason}>
            {t(`report.${reason}`)}
          </option>
        ))}
      </SelectField>
      <TextareaField
        {...form.field('description')}
        label={t('report.description')}
        rows={3}
        maxLength={REPORT_DESCRIPTION_MAX_LENGTH}
        className="py-2"
      />
    </FormDialog>
  );
}
