import { APPEAL_MAX_LENGTH, type UserId } from '@mogakgong/contract';
import { useForm } from '../../shared/form/use-form.ts';
import { sanctionTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextareaField } from '../../shared/ui/inputs.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { sendAppeal } from './own-sanctions.ts';

interface AppealFormProps {
  readonly userId: UserId;
  readonly sanctionId: number;
}

/** Appeals a decision. */
export function AppealForm({ userId, sanctionId }: AppealFormProps) {
  const { t, language } = useTranslation(sanctionTexts);
  const form = useForm({
    initial: { text: '' },
    focus: 'text',
    check: ({ text }) => ({ text: text.trim() === '' ? t('appeal.empty') : undefined }),
    send: async ({ text }) => {
      await sendAppeal(userId, { sanctionId, text: text.trim() }, t('appeal.failed'));
      notify.toast(t('appeal.sent'), 'good');
    },
  });
  return (
    <form {...form.props} className="grid gap-3">
      <p className="text-small">{t('appeal.lead')}</p>
      <TextareaField
        {...form.field('text')}
        label={t('appeal.label')}
        hint={t('appeal.hint', { max: APPEAL_MAX_LENGTH.toLocaleString(language) })}
        rows={5}
        maxLength={APPEAL_MAX_LENGTH}
        className="py-2.5"
      />
      <div>
        <Button type="submit" size="small" loading={form.isSending}>
          {t('appeal.send')}
        </Button>
      </div>
    </form>
  );
}
