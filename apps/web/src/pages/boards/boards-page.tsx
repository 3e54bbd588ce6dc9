import { useParams } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { boardTexts } from '../../features/board/board-texts.ts';
import { CopyList } from '../../features/board/copy-list.tsx';
import { OpenCopy } from '../../features/board/open-copy.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';

/** The learner's saved copies of whiteboards, or one of them. */
export function BoardsPage() {
  const { t } = useTranslation(boardTexts);
  const userId = useOwnUserId();
  const copyId = Number(useParams<{ copyId?: string }>().copyId);
  usePageTitle(t('copies.title'));
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-[72rem] content-start grid-cols-[minmax(0,1fr)] gap-5 px-4 py-8 sm:px-6 sm:py-12">
      <h1 className="font-extrabold text-heading">{t('copies.title')}</h1>
      {userId !== null &&
        (Number.isSafeInteger(copyId) ? (
          <OpenCopy key={copyId} userId={userId} copyId={copyId} />
        ) : (
          <CopyList userId={userId} />
        ))}
    </div>
  );
}
