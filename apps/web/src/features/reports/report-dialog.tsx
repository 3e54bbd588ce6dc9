import { REPORT_DESCRIPTION_MAX_LENGTH, type RoomId } from '@mogakgong/contract';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { shownErrorText } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import type { Person } from '../../shared/lib/person.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { FieldFrame } from '../../shared/ui/field-frame.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { Textarea } from '../../shared/ui/inputs.tsx';
import { reportTexts } from './report-texts.ts';
import { reportedId, type ShownReason, sendReport, shownReasons } from './send-report.ts';
import { captureStill } from './still.ts';

const REASONS = Object.keys(shownReasons) as readonly ShownReason[];

interface ReportDialogProps {
  readonly roomId: RoomId;
  readonly target: Person;
  readonly onClose: () => void;
  /** Called when the report is made; the dialog is to be closed. */
  readonly onReported: (parts: { readonly isStillMissing: boolean }) => void;
}

/** Reports a person (specification §2, §5, §8, §9). The form's content is discarded with the dialog. */
export function ReportDialog({ roomId, target, onClose, onReported }: ReportDialogProps) {
  const { t } = useTranslation(reportTexts);
  const formId = useId();
  const name = target.name || t('block.person');
  const [reason, setReason] = useState<ShownReason | null>(null);
  const [isReasonMissing, setIsReasonMissing] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  // Set before the next press, which may come before React has rendered.
  const isSendingRef = useRef(false);
  const markSending = (sends: boolean) => {
    isSendingRef.current = sends;
    setIsSending(sends);
  };
  // Taken when the dialog opens: the picture may be gone a second later.
  const [still] = useState(() => captureStill(target.userId));

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSendingRef.current) return;
    const given = new FormData(event.currentTarget);
    const userId = reportedId(target.userId);
    setIsReasonMissing(reason === null);
    setFailure(userId === null ? t('targetMissing') : null);
    if (reason === null) event.currentTarget.querySelector('input')?.focus();
    if (reason === null || userId === null) return;
    markSending(true);
    const written = String(given.get('description') ?? '').trim();
    const draft = {
      ...{ userId, roomId, reason },
      ...(reason === 'other' && { description: written || t('other.default') }),
      withBoard: given.has('withBoard'),
      still: given.has('withStill') ? still : null,
    };
    try {
      onReported({ isStillMissing: !(await sendReport(draft)) });
    } catch (error) {
      setFailure(shownErrorText(error));
      markSending(false);
    }
  };
  return (
    <Dialog
      title={t('title', { name })}
      onClose={isSending ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={isSending}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" form={formId} variant="primary" loading={isSending}>
            {t('submit')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className="grid gap-4 text-ink" onSubmit={submit}>
        <p className="text-ink-soft text-small">{t('lead')}</p>
        <Reasons
          value={reason}
          onChange={(chosen) => {
            setReason(chosen);
            setIsReasonMissing(false);
          }}
          error={isReasonMissing ? t('reason.missing') : undefined}
        />
        {reason === 'other' && <Description />}
        {still && <StillChoice still={still} name={name} />}
        <Checkbox
          name="withBoard"
          label={
            <>
              <span className="block font-semibold">{t('board.label')}</span>
              <span className="block text-caption text-ink-soft">{t('board.what')}</span>
            </>
          }
        />
        <p className="text-caption text-ink-soft">{t('evidence')}</p>
        <FormError text={failure ?? undefined} />
      </form>
    </Dialog>
  );
}

interface ReasonsProps {
  readonly value: ShownReason | null;
  readonly onChange: (reason: ShownReason) => void;
  readonly error: string | undefined;
}

function Reasons({ value, onChange, error }: ReasonsProps) {
  const { t } = useTranslation(reportTexts);
  const id = useId();
  return (
    <fieldset className="min-w-0" aria-describedby={error ? id : undefined}>
      <legend className="pb-2 font-semibold text-small">{t('reason.label')}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {REASONS.map((reason) => (
          <label
            key={reason}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-medium border border-line px-4 py-2 hover:bg-raised has-checked:border-primary has-checked:bg-raised has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={`${id}-reason`}
              className="size-5 shrink-0"
              checked={value === reason}
              onChange={() => onChange(reason)}
            />
            <span className="text-small">
              <span className="block font-semibold">{t(`reason.${reason}`)}</span>
              <span className="block text-caption text-ink-soft">{t(`reason.${reason}Hint`)}</span>
            </span>
          </label>
        ))}
      </div>
      <p id={id} role="alert" className="pt-2 text-caption text-danger empty:sr-only">
        {error}
      </p>
    </fieldset>
  );
}

function Description() {
  const { t } = useTranslation(reportTexts);
  const [text, setText] = useState('');
  const max = REPORT_DESCRIPTION_MAX_LENGTH;
  return (
    <FieldFrame
      label={t('other.label')}
      hint={`${t('other.hint', { text: t('other.default') })} ${t('other.count', { count: text.length, max })}`}
    >
      {(tie) => (
        <Textarea
          {...tie}
          name="description"
          rows={3}
          maxLength={max}
          className="py-2"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </FieldFrame>
  );
}

interface StillChoiceProps {
  readonly still: HTMLCanvasElement;
  readonly name: string;
}

/** The still is shown only once it is chosen: the reporter may not want to see it again. */
function StillChoice({ still, name }: StillChoiceProps) {
  const { t } = useTranslation(reportTexts);
  const [isChosen, setIsChosen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isChosen) return;
    still.className = 'block w-40 max-w-full rounded-small';
    ref.current?.replaceChildren(still);
  }, [isChosen, still]);
  return (
    <div className="grid gap-2">
      <Checkbox
        name="withStill"
        checked={isChosen}
        onChange={(event) => setIsChosen(event.target.checked)}
        label={
          <>
            <span className="block font-semibold">{t('still.label')}</span>
            <span className="block text-caption text-ink-soft">{t('still.what')}</span>
          </>
        }
      />
      {isChosen && (
        <div ref={ref} role="img" aria-label={t('still.preview', { name })} className="pl-8" />
      )}
    </div>
  );
}
