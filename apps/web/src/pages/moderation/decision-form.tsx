import {
  type CaseDetail,
  Decision,
  decideCase,
  suspensionDays,
  timedDecisions,
} from '@mogakgong/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { takeCase, useAction } from './moderation-queries.ts';
import { moderationTexts } from './moderation-texts.ts';
import { ReasonField } from './reason-field.tsx';

type Days = (typeof suspensionDays)[number];

interface DecisionFormProps {
  readonly detail: CaseDetail;
  readonly onClose: () => void;
}

/** The decision, its length and reason; the evidence stays visible below. */
export function DecisionForm({ detail, onClose }: DecisionFormProps) {
  const { t } = useTranslation(moderationTexts);
  const [decision, setDecision] = useState<Decision>('dismiss');
  const [days, setDays] = useState<Days>(7);
  const [reason, setReason] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  const reasonRef = useRef<HTMLTextAreaElement>(null);
  useEffect(() => formRef.current?.querySelector<HTMLElement>('input:checked')?.focus(), []);
  const isTimed = timedDecisions.includes(decision);
  const { run, isRunning } = useAction(
    () =>
      call(decideCase, {
        params: { caseId: detail.caseId },
        body: { decision, reason, ...(isTimed && { days }) },
      }),
    (answered) => {
      takeCase(answered);
      onClose();
      notify.toast(t('decide.done'), 'good');
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isWhole = decision === 'dismiss' || reason.trim() !== '';
    setIsMissing(!isWhole);
    if (isWhole) run();
    else reasonRef.current?.focus();
  };
  return (
    <form
      ref={formRef}
      aria-label={t('decide.title')}
      className="grid gap-4 border-line border-t bg-raised px-4 py-5 sm:px-6"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <Choice
        label={t('decide.decision')}
        options={Decision.options.map((value) => ({ value, label: t(`decision.${value}`) }))}
        value={decision}
        onChange={setDecision}
      />
      <p className="text-ink-soft text-small" aria-live="polite">
        {t(`effect.${decision}`)}
      </p>
      {isTimed && (
        <Choice
          label={t('decide.days')}
          options={suspensionDays.map((value) => ({
            value: String(value),
            label: t('decide.day', { count: value }),
          }))}
          value={String(days)}
          onChange={(value) => setDays(Number(value) as Days)}
        />
      )}
      <ReasonField
        label={t(decision === 'dismiss' ? 'decide.note' : 'decide.reason')}
        hint={t(decision === 'dismiss' ? 'decide.noteHint' : 'decide.reasonHint')}
        isMissing={isMissing}
        value={reason}
        onChange={setReason}
        inputRef={reasonRef}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={isRunning}>
          {t('decide.confirm')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
