import { type Appeal, answerAppeal, type RouteRequest } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { SanctionPeriod } from './case-history.tsx';
import { useAction } from './moderation-queries.ts';

import { Badge, PaneHeading, Part, Person, useOwnMoments } from './parts.tsx';
import { ReasonField } from './reason-field.tsx';

/** An appeal in the list. */
export function AppealRow({ appeal }: { readonly appeal: Appeal }) {
  const { t } = useTranslation(moderationTexts);
  const moment = useOwnMoments();
  return (
    <>
      <span className="font-semibold">
        <Person account={appeal.person} />
      </span>
      <span className="flex flex-wrap gap-1.5">
        <Badge tone="bad">{t(`decision.${appeal.kind}`)}</Badge>
        {appeal.isOwnDecision && <Badge>{t('appeal.own')}</Badge>}
      </span>
      <span className="text-caption text-ink-soft">{moment(appeal.appeal?.atMs ?? 0)}</span>
    </>
  );
}

interface AppealPaneProps {
  readonly appeal: Appeal;
  /** Shows the case with its evidence. */
  readonly onOpenCase: (caseId: number) => void;
}

/** One appeal: the decision with its reason, the person's statement, and the answer. */
export function AppealPane({ appeal, onOpenCase }: AppealPaneProps) {
  const { t } = useTranslation(moderationTexts);
  const { caseId } = appeal;
  return (
    <article aria-labelledby="appeal-title">
      <header className="grid gap-2 px-4 py-5 sm:px-6">
        <PaneHeading id="appeal-title" account={appeal.person} />
        <p className="flex flex-wrap items-center gap-1.5">
          <Badge tone="bad">{t(`decision.${appeal.kind}`)}</Badge>
          {appeal.rule !== null && <Badge>{t('sanction.automatic')}</Badge>}
          <SanctionPeriod sanction={appeal} />
        </p>
        <p className="wrap-anywhere text-small">{appeal.reason}</p>
        {caseId !== null && (
          <p>
            <Button size="small" onClick={() => onOpenCase(caseId)}>
              {t('appeal.openCase')}
            </Button>
          </p>
        )}
      </header>
      <Part title={t('appeal.text')}>
        <p className="whitespace-pre-wrap wrap-anywhere text-small">{appeal.appeal?.text}</p>
      </Part>
      <Part title={t('appeal.answer')}>
        {appeal.isOwnDecision || appeal.isReporter ? (
          <p className="text-ink-soft text-small">
            {t(appeal.isOwnDecision ? 'appeal.notYours' : 'case.isReporter')}
          </p>
        ) : (
          <AnswerForm key={appeal.sanctionId} appeal={appeal} />
        )}
      </Part>
    </article>
  );
}

function AnswerForm({ appeal }: { readonly appeal: Appeal }) {
  const { t } = useTranslation(moderationTexts);
  const { runAsync } = useAction(
    (body: RouteRequest<typeof answerAppeal>['body']) =>
      call(answerAppeal, { params: { sanctionId: appeal.sanctionId }, body }),
    () => notify.toast(t('appeal.done'), 'good'),
  );
  const form = useForm({
    initial: { outcome: 'upheld' as 'upheld' | 'lifted', answer: '' },
    check: ({ answer }) => ({
      answer: answer.trim() === '' ? t('decide.reasonMissing') : undefined,
    }),
    send: (body) => runAsync(body),
  });
  return (
    <form {...form.props} className="grid gap-4" aria-label={t('appeal.answer')}>
      <Choice
        label={t('appeal.outcome')}
        options={(['upheld', 'lifted'] as const).map((value) => ({
          value,
          label: t(`outcome.${value}`),
        }))}
        value={form.values.outcome}
        onChange={(outcome) => form.change({ outcome })}
      />
      <ReasonField
        label={t('appeal.words')}
        hint={t('decide.reasonHint')}
        {...form.field('answer')}
      />
      <p>
        <Button type="submit" variant="primary" loading={form.isSending}>
          {t('appeal.send')}
        </Button>
      </p>
    </form>
  );
}
