import {
  type BoardElement,
  type CaseReport,
  getReportBoard,
  type RouteReply,
  type UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { type ModerationText, moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { useEvidence } from './moderation-queries.ts';

import { Person } from './parts.tsx';

const KINDS = [
  'text',
  'freedraw',
  'arrow',
  'line',
  'rectangle',
  'ellipse',
  'diamond',
  'image',
  'frame',
] as const;
type Kind = (typeof KINDS)[number];

type ReportedBoard = RouteReply<typeof getReportBoard>;
type Author = ReportedBoard['authors'][number];

/**
 * The whiteboard stored with a report, as text: elements that the reported person made or changed come first.
 */
export function BoardEvidence({ reportId }: { readonly reportId: CaseReport['reportId'] }) {
  const { t } = useTranslation(moderationTexts);
  const loaded = useEvidence(['board', reportId], (signal) =>
    call(getReportBoard, { params: { reportId } }, { signal }),
  );
  return (
    <section aria-label={t('board.title')} className="grid gap-3">
      <h4 className="font-semibold">{t('board.title')}</h4>
      <LoadState of={loaded}>{(board) => <Words board={board} />}</LoadState>
    </section>
  );
}

function Words({ board }: { readonly board: ReportedBoard }) {
  const { t } = useTranslation(moderationTexts);
  const { reportedId, authors, elements } = board;
  const madeBy = Map.groupBy(elements, ({ customData }) =>
    customData?.changedById === reportedId ? reportedId : customData?.authorId,
  );
  const others = authors.filter(({ userId }) => userId !== reportedId && madeBy.has(userId));
  const reported = authors.find(({ userId }) => userId === reportedId);
  return (
    <>
      <div className="grid gap-1.5 rounded-small bg-lamp-wash px-3 py-2">
        <h5 className="font-semibold text-caption">{t('board.reported')}</h5>
        {reported ? (
          <Made author={reported} authors={authors} elements={madeBy.get(reportedId) ?? []} />
        ) : (
          <p>{t('board.nothing')}</p>
        )}
      </div>
      {others.length > 0 && (
        <details>
          <summary className="min-h-9 cursor-pointer font-semibold text-caption leading-9 pointer-coarse:min-h-11 pointer-coarse:leading-[2.75rem]">
            {t('board.others')}
          </summary>
          <ul className="grid gap-3">
            {others.map((author) => (
              <li key={author.userId}>
                <Made
                  author={author}
                  authors={authors}
                  elements={madeBy.get(author.userId) ?? []}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface MadeProps {
  readonly author: Author;
  readonly authors: readonly Author[];
  readonly elements: readonly BoardElement[];
}

/** The number of each kind that a person made, and all their texts. */
function Made({ author, authors, elements }: MadeProps) {
  const { t } = useTranslation(moderationTexts);
  const nameOf = (id: UserId | undefined) =>
    authors.find(({ userId }) => userId === id)?.nickname ?? `#${id}`;
  const changedByOthers = elements.filter(({ customData }) => customData?.changedById);
  const counts = KINDS.flatMap((kind) => countOf(elements, kind, t));
  return (
    <div className="grid gap-1">
      <p>
        <Person account={author} /> <span className="text-ink-soft">{counts.join(' · ')}</span>
      </p>
      {changedByOthers.length > 0 && (
        <p>{t('board.changedByOthers', { count: changedByOthers.length })}</p>
      )}
      <ul className="grid gap-1">
        {elements.flatMap((element) =>
          wordsOf(element).map((words) => (
            <li
              key={`${element.id} ${words}`}
              className="whitespace-pre-wrap wrap-anywhere border-line-strong border-l-2 pl-3"
            >
              {words}
              {element.customData?.changedById && (
                <span className="block text-caption text-ink-soft">
                  {t('board.changed', {
                    author: nameOf(element.customData.authorId),
                    name: nameOf(element.customData.changedById),
                  })}
                </span>
              )}
            </li>
          )),
        )}
      </ul>
    </div>
  );
}

function countOf(elements: readonly BoardElement[], kind: Kind, t: ModerationText): string[] {
  const count = elements.filter(({ type }) => type === kind).length;
  return count === 0 ? [] : [t('board.count', { kind: t(`board.kind.${kind}`), count })];
}

/** The readable parts of an element: its text, the name of a frame, and its link. */
const wordsOf = ({ text, name, link }: BoardElement): string[] => {
  const words = [text, name, link].filter((word) => typeof word === 'string' && word !== '');
  return [...new Set(words as string[])];
};
