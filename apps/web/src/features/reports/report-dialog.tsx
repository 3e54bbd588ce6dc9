import { REPORT_DESCRIPTION_MAX_LENGTH, type RoomId } from '@mogakgong/contract';
import { type ComponentProps, useEffect, useId, useRef, useState } from 'react';
import { shownErrorText } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import type { Person } from '../../shared/lib/person.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextareaField } from '../../shared/ui/inputs.tsx';

import { reportedId, type ShownReason, sendReport, shownReasons } from './send-report.ts';
import { captureStill } from './still.ts';

const REASONS = Object.keys(shownReasons) as readonly ShownReason[];

interface ReportDialogProps {
  readonly roomId: RoomId;
  readonly target: Person;
  /** The picture of the person; undefined where none is shown. */
  readonly video: HTMLVideoElement | undefined;
  readonly onClose: () => void;
  /** Called when the report is made; the dialog is to be closed. */
  readonly onReported: (parts: { readonly isStillMissing: boolean }) => void;
}

/** Reports a person (specification §2, §5, §8, §9). The form's content is discarded with the dialog. */
export function ReportDialog(props: ReportDialogProps) {
  const { roomId, target, video, onClose, onReported } = props;
  const { t } = useTranslation(roomTexts);
  const formId = useId();
  const name = target.name || t('block.person');
  // Taken when the dialog opens: the picture may be gone a second later.
  const [still] = useState(() => (video ? captureStill(video) : null));
  const form = useReportForm({ roomId, target, onReported }, still);
  const { isSending, values } = form;
  return (
    <Dialog
      title={t('reports.title', { name })}
      onClose={isSending ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={isSending}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" form={formId} variant="primary" loading={isSending}>
            {t('reports.submit')}
          </Button>
        </>
      }
    >
      <form {...form.props} id={formId} className="grid gap-4 text-ink">
        <p className="text-ink-soft text-small">{t('reports.lead')}</p>
        <Reasons
          value={values.reason}
          onChange={(reason) => form.change({ reason })}
          error={form.errorOf('reason')}
        />
        {values.reason === 'other' && <Description text={values.description} />}
        {still && (
          <StillChoice
            box={form.box('withStill')}
            {...{ still, name }}
            isChosen={values.withStill}
          />
        )}
        <Checkbox
          {...form.box('withBoard')}
          label={
            <>
              <span className="block font-semibold">{t('board.label')}</span>
              <span className="block text-caption text-ink-soft">{t('board.what')}</span>
            </>
          }
        />
        <p className="text-caption text-ink-soft">{t('reports.evidence')}</p>
        <FormError {...form.formError} />
      </form>
    </Dialog>
  );
}

type ReportOptions = Pick<ReportDialogProps, 'roomId' | 'target' | 'onReported'>;

function useReportForm(
  { roomId, target, onReported }: ReportOptions,
  still: HTMLCanvasElement | null,
) {
  const { t } = useTranslation(roomTexts);
  const userId = reportedId(target.userId);
  return useForm({
    initial: {
      reason: null as ShownReason | null,
      ...{ description: '', withStill: false, withBoard: false },
    },
    check: ({ reason }) => ({
      reason: reason === null ? t('reason.missing') : undefined,
      form: userId === null ? t('reports.targetMissing') : undefined,
    }),
    send: async ({ reason, description, withBoard, withStill }) => {
      if (userId === null || reason === null) return;
      const draft = {
        ...{ userId, roomId, reason },
        ...(reason === 'other' && { description: description.trim() || t('other.default') }),
        withBoard,
        still: withStill ? still : null,
      };
      onReported({ isStillMissing: !(await sendReport(draft)) });
    },
    textOf: shownErrorText,
  });
}

interface ReasonsProps {
  readonly value: ShownReason | null;
  readonly onChange: (reason: ShownReason) => void;
  readonly error: string | undefined;
}

function Reasons({ value, onChange, error }: ReasonsProps) {
  const { t } = useTranslation(roomTexts);
  const id = useId();
  return (
    <fieldset className="min-w-0" aria-describedby={error ? id : undefined}>
      <legend className="pb-2 font-semibold text-small">{t('reason.label')}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {REASONS.map((reason) => (
          <label
            key={reason}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-medium border border-line px-4 py-2 hover:bg-raised has-checked:border-primary has-checked:bg-raised has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-1"
          >
            <input
              type="radio"
              name="reason"
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

/** The field `description`. */
function Description({ text }: { readonly text: string }) {
  const { t } = useTranslation(roomTexts);
  const max = REPORT_DESCRIPTION_MAX_LENGTH;
  return (
    <TextareaField
      name="description"
      label={t('other.label')}
      hint={`${t('other.hint', { text: t('other.default') })} ${t('other.count', { count: text.length, max })}`}
      rows={3}
      maxLength={max}
      className="py-2"
      defaultValue={text}
    />
  );
}

interface StillChoiceProps {
  readonly box: Pick<ComponentProps<'input'>, 'name' | 'defaultChecked'>;
  readonly isChosen: boolean;
  readonly still: HTMLCanvasElement;
  /** Of the reported person. */
  readonly name: string;
}

/** The still is shown only once it is chosen: the reporter may not want to see it again. */
function StillChoice({ box, isChosen, still, name }: StillChoiceProps) {
  const { t } = useTranslation(roomTexts);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isChosen) return;
    still.className = 'block w-40 max-w-full rounded-small';
    ref.current?.replaceChildren(still);
  }, [isChosen, still]);
  return (
    <div className="grid gap-2">
      <Checkbox
        {...box}
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
