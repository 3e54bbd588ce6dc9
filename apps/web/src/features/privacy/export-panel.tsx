import { exportOwnData } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { call, messageOf } from '../../shared/api/index.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { saveFile } from '../../shared/ui/save-file.ts';

/** Allows for years of records over a slow connection. */
const TIMEOUT_MS = 10 * 60_000;
const FILE_NAME = 'mogakgong.zip';
const MEGABYTE = 1_000_000;

/** Reads a file, and reports the bytes received so far. */
async function readFile(response: Response, onReceived: (bytes: number) => void): Promise<File> {
  let received = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        received += part.length;
        onReceived(received);
        controller.enqueue(part);
      },
    }),
  );
  return new File([await new Response(counted).blob()], FILE_NAME);
}

/** Everything stored about the learner, as a file. */
export function ExportPanel() {
  const { t, language } = useTranslation(accountTexts);
  const [bytes, setBytes] = useState(0);
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () =>
      call(
        exportOwnData,
        {},
        {
          fallback: t('export.failed'),
          timeoutMs: TIMEOUT_MS,
          readReply: (response) => readFile(response, setBytes),
        },
      ),
    onMutate: () => setBytes(0),
    onSuccess: (file) => saveFile(file.name, file),
  });
  const size = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const state = isPending && bytes > 0 ? 'running' : isSuccess && 'done';
  return (
    <Panel title={t('export.title')} lead={t('export.lead')}>
      <FormError text={error ? messageOf(error) : undefined} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button icon={Download} loading={isPending} onClick={() => mutate()}>
          {t('export.download')}
        </Button>
        <p role="status" className="text-ink-soft text-small empty:sr-only">
          {state && t(`export.${state}`, { megabytes: size.format(bytes / MEGABYTE) })}
        </p>
      </div>
    </Panel>
  );
}
