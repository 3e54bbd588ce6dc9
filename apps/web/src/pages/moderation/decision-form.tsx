import {
  type CaseDetail,
  Decision,
  decideCase,
  type RouteRequest,
  suspensionDays,
  timedDecisions,
} from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { ApiError, call } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { shownCase, takeCase, useAction } from './moderation-queries.ts';

import { ReasonField } from './reason-field.tsx';

type Days = (typeof suspensionDays)[number];

interface DecisionFormProps {
  readonly detail: CaseDetail;
  readonly onClose: () => void;
}

/** The decision, its length and reason; the evidence stays visible, beside it in a wide window and else below. */
export function DecisionForm({ detail, onClose }: DecisionFormProps) {
  const { t } = useTranslation(moderationTexts);
  const form = useDecision(detail, onClose);
  const { ref } = form.props;
  useEffect(() => ref.current?.querySelector<HTMLElement>('input:checked')?.focus(), [ref]);
  const { decision, days } = form.values;
  return (
    <form
      {...form.props}
      aria-label={t('decide.title')}
      className="grid gap-4 border-line border-t bg-raised px-4 py-5 sm:px-6 xl:sticky xl:top-20 xl:col-start-2 xl:row-span-4 xl:row-start-1"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <Choice
        label={t('decide.decision')}
        options={Decision.options.map((value) => ({ value, label: t(`decision.${value}`) }))}
        value={decision}
        onChange={(value) => form.change({ decision: value })}
      />
      <p className="text-ink-soft text-small" aria-live="polite">
        {t(`effect.${decision}`)}
      </p>
      {isTimed(decision) && (
        <Choice
          label={t('decide.days')}
          options={suspensionDays.map((value) => ({
            value: String(value),
            label: t('decide.day', { count: value }),
          }))}
          value={String(days)}
          onChange={(value) => form.change({ days: Number(value) as Days })}
        />
      )}
      {hasGroupTexts(detail) && decision !== 'dismiss' && (
        <Checkbox
          label={t('decide.withdrawsTexts')}
          checked={form.values.withdrawsTexts}
          onChange={({ target }) => form.change({ withdrawsTexts: target.checked })}
        />
      )}
      <ReasonField
        label={t(decision === 'dismiss' ? 'decide.note' : 'decide.reason')}
        hint={t(decision === 'dismiss' ? 'decide.noteHint' : 'decide.reasonHint')}
        {...form.field('reason')}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={form.isSending}>
          {t('decide.confirm')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}

const hasGroupTexts = ({ reports }: CaseDetail) =>
  reports.some(({ groupText }) => groupText !== undefined);

const isTimed = (decision: Decision) => timedDecisions.includes(decision);

function useDecision(detail: CaseDetail, onClose: () => void) {
  const { t } = useTranslation(moderationTexts);
  const { caseId } = detail;
  const [readUntilMs, setReadUntilMs] = useState(detail.lastReportAtMs);
  const decide = useAction(
    (body: RouteRequest<typeof decideCase>['body']) =>
      call(decideCase, { params: { caseId }, body }),
    (answered) => {
      takeCase(answered);
      onClose();
      notify.toast(t('decide.done'), 'good');
    },
  );
  return useForm({
    initial: {
      ...{ decision: 'dismiss' as Decision, days: 7 as Days, reason: '' },
      withdrawsTexts: hasGroupTexts(detail),
    },
    check: ({ decision, reason }) => ({
      reason:
        decision !== 'dismiss' && reason.trim() === '' ? t('decide.reasonMissing') : undefined,
    }),
    send: async ({ days, ...body }) => {
      try {
        return await decide.runAsync({
          ...{ ...body, readUntilMs },
          ...(isTimed(body.decision) && { days }),
        });
      } catch (error) {
        // The moderator is told that a report has arrived: their next press is about that one, too.
        const isChanged = error instanceof ApiError && error.errorName === 'caseChanged';
        if (isChanged) setReadUntilMs((before) => shownCase(caseId)?.lastReportAtMs ?? before);
        throw error;
      }
    },
  });
}
