import { putVisitNote, VISIT_NOTE_MAX_LENGTH, type Visit } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { TextField } from '../../shared/ui/text-field.tsx';
import { statisticsCall } from './use-statistics.ts';

/** The learner's own explanation of a visit. */
export function VisitNote({ visit: { id, note } }: { readonly visit: Visit }) {
  const { t } = useTranslation(statisticsTexts);
  const form = useForm({
    initial: { note: note ?? '' },
    send: async ({ note: text }) => {
      const stored = await call(
        putVisitNote,
        { params: { visitId: id }, body: { note: text } },
        statisticsCall(),
      );
      form.change({ note: stored.note ?? '' });
      notify.toast(t('visits.noteSaved'), 'good');
    },
  });
  return (
    <form {...form.props}>
      <TextField
        {...form.field('note')}
        label={t('visits.note')}
        hint={t('visits.noteHint')}
        maxLength={VISIT_NOTE_MAX_LENGTH}
        action={
          <Button type="submit" loading={form.isSending}>
            {t('visits.noteSave')}
          </Button>
        }
      />
    </form>
  );
}
