import type { CaseSummary } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { KeyHint } from '../../features/focus/shortcuts.tsx';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import type { LoadedList } from './moderation-queries.ts';

import { Badge, isFocusLost, Person, Reasons, useOwnMoments } from './parts.tsx';

interface EntryListProps<Item> {
  readonly label: string;
  readonly list: LoadedList<Item>;
  /** Shown for an empty list. */
  readonly empty: string;
  readonly idOf: (item: Item) => number;
  readonly selected: number | null;
  readonly onSelect: (id: number) => void;
  readonly children: (item: Item) => ReactNode;
}

/** The waiting entries; the selected one is shown beside the list. */
export function EntryList<Item>(props: EntryListProps<Item>) {
  const { label, list, empty, idOf, selected, onSelect, children } = props;
  const { t } = useTranslation(moderationTexts);
  const ref = useRef<HTMLUListElement>(null);
  const formerRef = useRef(selected);
  useEffect(() => {
    const former = formerRef.current;
    formerRef.current = selected;
    const entry = (id: number) => ref.current?.querySelector<HTMLElement>(`[data-entry="${id}"]`);
    if (selected !== null) entry(selected)?.scrollIntoView?.({ block: 'nearest' });
    // In narrow windows the list comes back with the focus on the former entry.
    else if (former !== null && isFocusLost()) entry(former)?.focus();
  }, [selected]);
  return (
    <LoadState of={list}>
      {(items) => (
        <>
          <div className="flex min-h-11 items-center justify-between gap-2 px-4 text-caption text-ink-soft">
            <p role="status">
              {items.length === 0 ? empty : t('list.count', { count: items.length })}
            </p>
            {items.length > 1 && (
              <span className="flex gap-1">
                <KeyHint name="J" />
                <KeyHint name="K" />
              </span>
            )}
          </div>
          <ul ref={ref} aria-label={label} className="grid">
            {items.map((item) => (
              <li key={idOf(item)}>
                <button
                  type="button"
                  data-entry={idOf(item)}
                  aria-current={idOf(item) === selected}
                  className="grid w-full gap-1.5 border-line border-t border-l-4 border-l-transparent px-3 py-3 text-left text-small hover:bg-raised aria-[current=true]:border-l-primary aria-[current=true]:bg-raised"
                  onClick={() => onSelect(idOf(item))}
                >
                  {children(item)}
                </button>
              </li>
            ))}
          </ul>
          {list.more && (
            <div className="grid justify-items-center border-line border-t p-3">
              <Button size="small" loading={list.isLoading} onClick={list.more}>
                {t('list.more')}
              </Button>
            </div>
          )}
        </>
      )}
    </LoadState>
  );
}

interface CaseRowProps {
  readonly summary: CaseSummary;
  readonly ownUserId: number;
}

/** A case in the list. */
export function CaseRow({ summary, ownUserId }: CaseRowProps) {
  const { t } = useTranslation(moderationTexts);
  const moment = useOwnMoments();
  const { claimedBy, decision, decidedAtMs } = summary;
  const isMine = claimedBy?.userId === ownUserId;
  return (
    <>
      <span className="flex items-baseline justify-between gap-2">
        <span className="min-w-0 font-semibold">
          <Person account={summary.reported} />
        </span>
        <span className="shrink-0 text-caption text-ink-soft">
          {t('case.reports', { count: summary.reportCount })}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-1.5">
        <Reasons reasons={summary.reasons} />
        {summary.status === 'claimed' && (
          <Badge tone={isMine ? 'mine' : 'plain'}>
            {isMine
              ? t('case.claimedByYou')
              : t('case.claimedBy', { name: claimedBy?.nickname ?? `#${claimedBy?.userId}` })}
          </Badge>
        )}
        {decision && <Badge>{t(`decision.${decision}`)}</Badge>}
      </span>
      <span className="flex justify-between gap-2 text-caption text-ink-soft">
        <span>{moment(decidedAtMs ?? summary.lastReportAtMs)}</span>
        <span className="tabular-nums">
          {t('case.weight', { weight: summary.weight.toFixed(1) })}
        </span>
      </span>
    </>
  );
}
