import type { Appeal, CaseFilter, CaseId, CaseSummary, UserId } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { KeyHint, useShortcuts } from '../../features/focus/shortcuts.tsx';
import { useLoadedProfile } from '../../shared/api/profile.ts';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import { AppealPane, AppealRow } from './appeal-pane.tsx';
import { AuditLog } from './audit-log.tsx';
import { CaseRow, EntryList } from './case-list.tsx';
import { CasePane } from './case-pane.tsx';
import { useAppeals, useCases, useRoleEnd } from './moderation-queries.ts';

const VIEWS = ['open', 'mine', 'decided', 'appeals', 'audit'] as const;
type View = (typeof VIEWS)[number];
const isView = (name: string | null): name is View => VIEWS.some((view) => view === name);

/** The moderators' console; for everybody else the page does not exist. */
export function ModerationPage() {
  const userId = useOwnUserId();
  const profile = useLoadedProfile(userId);
  return (
    <LoadState of={profile}>
      {({ role }) =>
        role === 'member' || userId === null ? (
          <NotFoundPage />
        ) : (
          <Console ownUserId={userId} isAdmin={role === 'admin'} />
        )
      }
    </LoadState>
  );
}

interface ConsoleProps {
  readonly ownUserId: UserId;
  readonly isAdmin: boolean;
}

/** The shown view, as named by the address: a reload and the back button keep it. */
function useShown() {
  const [, navigate] = useLocation();
  const params = new URLSearchParams(useSearch());
  const view = params.get('view');
  const id = Number(params.get('id'));
  return {
    view: isView(view) ? view : 'open',
    id: Number.isSafeInteger(id) && id > 0 ? id : null,
    show: (next: View, nextId: number | null = null) =>
      navigate(`${paths.moderation}?view=${next}${nextId === null ? '' : `&id=${nextId}`}`),
  };
}

type Shown = ReturnType<typeof useShown>;

function Console({ ownUserId, isAdmin }: ConsoleProps) {
  const { t } = useTranslation(moderationTexts);
  const shown = useShown();
  usePageTitle(t('page.title'));
  useRoleEnd(ownUserId);
  const views = VIEWS.filter((view) => isAdmin || view !== 'audit');
  return (
    <div className="flex w-full flex-1 flex-col">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b px-4 py-3 sm:px-6">
        <h1 className="font-extrabold text-title">{t('page.title')}</h1>
        <nav aria-label={t('page.views')} className="max-w-full overflow-x-auto">
          <ul className="flex w-max gap-1">
            {views.map((view) => (
              <li key={view}>
                <button
                  type="button"
                  aria-current={view === shown.view ? 'page' : undefined}
                  className="min-h-11 rounded-small px-3 focus-visible:-outline-offset-2 text-ink-soft text-small hover:bg-raised hover:text-ink aria-[current]:bg-raised aria-[current]:font-semibold aria-[current]:text-ink"
                  onClick={() => shown.show(view)}
                >
                  {t(`view.${view}`)}
                </button>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {shown.view === 'audit' ? (
        isAdmin && <AuditLog />
      ) : shown.view === 'appeals' ? (
        <Appeals shown={shown} />
      ) : (
        <Cases key={shown.view} filter={shown.view} shown={shown} ownUserId={ownUserId} />
      )}
    </div>
  );
}

/** Moves through a list by keys: J and K as in mail readers, or the arrows. */
function useSteps(ids: readonly number[], { view, id, show }: Shown): void {
  const step = (by: 1 | -1) => {
    const at = id === null ? -1 : ids.indexOf(id);
    const next = at === -1 ? ids[0] : ids[at + by];
    if (next !== undefined) show(view, next);
  };
  const [forth, back] = [() => step(1), () => step(-1)];
  useShortcuts({ KeyJ: forth, ArrowDown: forth, KeyK: back, ArrowUp: back });
}

interface CasesProps {
  readonly filter: CaseFilter;
  readonly shown: Shown;
  readonly ownUserId: number;
}

function Cases({ filter, shown, ownUserId }: CasesProps) {
  const { t } = useTranslation(moderationTexts);
  const list = useCases(filter);
  const idOf = ({ caseId }: CaseSummary) => caseId;
  useSteps(list.value?.map(idOf) ?? [], shown);
  return (
    <SideBySide
      shown={shown}
      list={
        <EntryList
          label={t(`view.${filter}`)}
          list={list}
          empty={t(`empty.${filter}`)}
          idOf={idOf}
          selected={shown.id}
          onSelect={(id) => shown.show(filter, id)}
        >
          {(summary) => <CaseRow summary={summary} ownUserId={ownUserId} />}
        </EntryList>
      }
    >
      {shown.id !== null && (
        <CasePane key={shown.id} caseId={shown.id as CaseId} ownUserId={ownUserId} />
      )}
    </SideBySide>
  );
}

function Appeals({ shown }: { readonly shown: Shown }) {
  const { t } = useTranslation(moderationTexts);
  const list = useAppeals();
  const idOf = ({ sanctionId }: Appeal) => sanctionId;
  useSteps(list.value?.map(idOf) ?? [], shown);
  const appeal = list.value?.find(({ sanctionId }) => sanctionId === shown.id);
  return (
    <SideBySide
      shown={shown}
      list={
        <EntryList
          label={t('view.appeals')}
          list={list}
          empty={t('empty.appeals')}
          idOf={idOf}
          selected={shown.id}
          onSelect={(id) => shown.show('appeals', id)}
        >
          {(each) => <AppealRow appeal={each} />}
        </EntryList>
      }
    >
      {appeal ? (
        <AppealPane appeal={appeal} onOpenCase={(caseId) => shown.show('decided', caseId)} />
      ) : (
        shown.id !== null &&
        list.value !== null && (
          <p role="status" className="p-6 text-ink-soft text-small">
            {t('appeal.answered')}
          </p>
        )
      )}
    </SideBySide>
  );
}

interface SideBySideProps {
  readonly shown: Shown;
  readonly list: ReactNode;
  readonly children: ReactNode;
}

/** List and details: side by side in wide windows, one after the other in narrow ones. */
function SideBySide({ shown, list, children }: SideBySideProps) {
  const { t } = useTranslation(moderationTexts);
  const { id, view, show } = shown;
  return (
    <div className="grid flex-1 lg:grid-cols-[22rem_minmax(0,1fr)] xl:grid-cols-[26rem_minmax(0,1fr)]">
      <div
        className={classNames(
          'min-w-0 border-line lg:sticky lg:top-16 lg:h-[calc(100dvh-4rem)] lg:self-start lg:overflow-y-auto lg:border-r',
          id !== null && 'max-lg:hidden',
        )}
      >
        {list}
      </div>
      <div className={classNames('min-w-0 bg-surface', id === null && 'max-lg:hidden')}>
        {id !== null ? (
          <div className="max-w-[64rem]">
            <p className="px-4 pt-3 sm:px-6 lg:hidden">
              <Button size="small" variant="quiet" onClick={() => show(view)}>
                {t('list.back')}
              </Button>
            </p>
            {children}
          </div>
        ) : (
          <Hints />
        )}
      </div>
    </div>
  );
}

/** Shown before anything is selected: how to continue. */
function Hints() {
  const { t } = useTranslation(moderationTexts);
  return (
    <div className="grid justify-items-center gap-3 px-6 py-24 text-center text-ink-soft text-small">
      <p>{t('hint.select')}</p>
      <p className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 pointer-coarse:hidden">
        {(['J', 'K', 'C', 'D'] as const).map((key) => (
          <span key={key} className="inline-flex items-center gap-1.5">
            <KeyHint name={key} />
            {t(`hint.${key}`)}
          </span>
        ))}
      </p>
    </div>
  );
}
