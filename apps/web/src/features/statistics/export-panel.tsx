import { addDays, exportIntervals, type StudyDay, type Today } from '@mogakgong/contract';
import Download from 'lucide-react/icons/download';
import { call, type Loaded } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { saveFile } from '../../shared/ui/save-file.ts';
import { TextField } from '../../shared/ui/text-field.tsx';

import { statisticsCall } from './use-statistics.ts';

const YEAR_DAYS = 365;

/** Spreadsheets take a file with a byte order mark for UTF-8. */
const csvFile = (text: string) => new Blob(['\uFEFF', text], { type: 'text/csv' });

/** Every interval of a period as a CSV file. */
export function ExportPanel({ today }: { readonly today: Loaded<Today> }) {
  const { t } = useTranslation(statisticsTexts);
  return (
    <Panel title={t('export.title')} lead={t('export.lead')}>
      <LoadState of={today}>{({ day }) => <ExportForm today={day} />}</LoadState>
    </Panel>
  );
}

function ExportForm({ today }: { readonly today: StudyDay }) {
  const { t } = useTranslation(statisticsTexts);
  const form = useForm<{ from: string; to: string }>({
    initial: { from: addDays(today, 1 - YEAR_DAYS), to: today },
    send: async ({ from, to }) => {
      const csv = await call(exportIntervals, { query: { from, to } }, statisticsCall());
      saveFile(`mogakgong-${from}-${to}.csv`, csvFile(csv));
    },
  });
  return (
    // The browser itself says that a date is missing or beyond the other.
    <form {...form.props} noValidate={false} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('from')}
          label={t('export.from')}
          type="date"
          required
          max={form.values.to}
        />
        <TextField
          {...form.field('to')}
          label={t('export.to')}
          type="date"
          required
          min={form.values.from}
        />
      </div>
      <FormError {...form.formError} />
      <div>
        <Button type="submit" loading={form.isSending} icon={Download}>
          {t('export.download')}
        </Button>
      </div>
    </form>
  );
}
