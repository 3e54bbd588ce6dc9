import type { OwnSanction, UserId } from '@mogakgong/contract';
import { type ReactNode, useState } from 'react';
import { serverNowMs } from '../../shared/clock/index.ts';
import { sanctionTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useMoments } from '../../shared/today/use-moments.ts';
import { Button } from '../../shared/ui/button.tsx';
import { AppealForm } from './appeal-form.tsx';
import { isInForce } from './own-sanctions.ts';
import { untilText } from './until-text.ts';

interface SanctionStatementProps {
  readonly userId: UserId;
  readonly sanction: OwnSanction;
}

/** The statement of reasons: the decision, its reason, its author, its end, and the appeal. */
export function SanctionStatement({ userId, sanction }: SanctionStatementProps) {
  const { t } = useTranslation(sanctionTexts);
  const momentText = useMoments(userId, 'long');
  const { kind, rule, reason, roomId, imposedAtMs } = sanction;
  const isOver = kind !== 'warn' && !isInForce(sanction, serverNowMs());
  return (
    <div className="grid gap-5 text-ink">
      <dl className="grid gap-3 text-small">
        <Row name={t('sanctions.what')}>
          {isOver ? t(`title.${kind}`) : t(`sanctions.what.${kind}`, { number: roomId ?? '' })}
        </Row>
        <Row name={t('sanctions.why')}>
          <span className="whitespace-pre-wrap wrap-anywhere">
            {rule === null ? reason : t(`sanctions.why.${rule}`)}
          </span>
        </Row>
        <Row name={t('sanctions.who')}>
          {t(rule === null ? 'sanctions.who.person' : 'sanctions.who.automatic')}
        </Row>
        <Row name={t('sanctions.from')}>{momentText(imposedAtMs)}</Row>
        {kind !== 'warn' && (
          <Row name={t('sanctions.until')}>{untilText(sanction, t, momentText)}</Row>
        )}
      </dl>
      <Appeal userId={userId} sanction={sanction} />
    </div>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <dt className="font-semibold text-caption text-ink-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The appeal form, or the appeal and its answer. */
function Appeal({ userId, sanction }: SanctionStatementProps) {
  const { t } = useTranslation(sanctionTexts);
  const [isOpen, setIsOpen] = useState(false);
  const { appeal, liftedAtMs } = sanction;
  if (appeal === null) {
    if (liftedAtMs !== null) return null;
    if (isOpen) return <AppealForm userId={userId} sanctionId={sanction.id} />;
    return (
      <div>
        <Button size="small" onClick={() => setIsOpen(true)}>
          {t('appeal.open')}
        </Button>
      </div>
    );
  }
  const { answer } = appeal;
  return (
    <dl className="grid gap-3 rounded-medium bg-raised p-4 text-small">
      <Row name={t('appeal.mine')}>
        <span className="whitespace-pre-wrap wrap-anywhere">{appeal.text}</span>
      </Row>
      <Row name={t('appeal.answer')}>
        {answer === null ? t('appeal.waiting') : t(`appeal.${answer.outcome}`)}
        {answer !== null && (
          <span className="mt-1 block whitespace-pre-wrap wrap-anywhere">{answer.text}</span>
        )}
      </Row>
    </dl>
  );
}
