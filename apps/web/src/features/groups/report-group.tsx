import {
  type Group,
  type GroupCard,
  type GroupTextKind,
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

const TEXTS = ['name', 'goal', 'notice'] as const;
const REASONS = ['ABUSE', 'OBSCENE_CONTENT', 'DISTURBANCE'] as const;

interface ReportGroupProps {
  /** The notice is there for members. */
  readonly group: GroupCard & Partial<Pick<Group, 'notice'>>;
  readonly onClose: () => void;
}

/** Reports a text of a group: its name, goal or notice. */
export function ReportGroup({ group, onClose }: ReportGroupProps) {
  const { t } = useTranslation(groupsTexts);
  const form = useForm({
    initial: { text: 'name' as string, reason: 'ABUSE' as string, description: '' },
    send: async ({ text, reason, description: given }) => {
      const description = given.trim();
      const body = {
        text: text as GroupTextKind,
        reason: reason as ReportReason,
        ...(description !== '' && { description }),
      };
      await call(
        reportGroup,
        { params: { groupId: group.groupId }, body },
        { fallback: t('groups.failed') },
      );
      onClose();
      notify.toast(t('report.done'), 'good');
    },
  });
  return (
    <FormDialog title={t('report.title')} submit={t('report.submit')} form={form} onClose={onClose}>
      <p className="text-ink-soft text-small">{t('report.lead')}</p>
      <SelectField {...form.field('text')} label={t('report.text')}>
        {TEXTS.filter((text) => group[text]).map((text) => (
          <option key={text} value={text}>
            {t(`report.${text}`)}
          </option>
        ))}
      </SelectField>
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
