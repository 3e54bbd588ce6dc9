import { exportIntervals, type StudyDay, type Today } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { call, type Loaded, messageOf } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { saveFile } from '../../shared/ui/save-file.ts';
import { TextField } from '../../shared/ui/text-field.tsx';
import { statisticsTexts } from './statistics-texts.ts';
import { addDays } from './study-days.ts';
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
  const [from, setFrom] = useState(addDays(today, 1 - YEAR_DAYS));
  const [to, setTo] = useState(today);
  const download = useMutation(
    {
      mutationFn: () => call(exportIntervals, { query: { from, to } }, statisticsCall()),
      onSuccess: (csv) => saveFile(`mogakgong-${from}-${to}.csv`, csvFile(csv)),
    },
    queryClient,
  );
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        download.mutate();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('export.from')}
          type="date"
          required
          max={to}
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <TextField
          label={t('export.to')}
          type="date"
          required
          min={from}
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <FormError text={download.error ? messageOf(download.error) : undefined} />
      <div>
        <Button type="submit" loading={download.isPending} icon={Download}>
          {t('export.download')}
        </Button>
      </div>
    </form>
  );
}
