import { type ReactNode, useRef } from 'react';
import { useLocation, useRoute } from 'wouter';
import { useSession } from '../features/auth/session.ts';
import { useCurrentRoom } from '../room/live/current-room.ts';
import { useTranslation } from '../shared/i18n/texts.ts';
import { paths, studyRoomPath } from '../shared/lib/paths.ts';
import { classNames } from '../shared/ui/class-names.ts';
import { onDemand } from '../shared/ui/on-demand.tsx';
import { usePageFocus } from '../shared/ui/page-heading.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';

const MAIN_ID = 'content';

/** Downloaded only by a seated learner. */
const LearnerRoom = onDemand(async () => (await import('../room/learner-room.tsx')).LearnerRoom, {
  isQuiet: true,
});

interface LayoutProps {
  /** The end of the header: the logged-in learner's account, or the log-in link. */
  readonly account: ReactNode;
  /** Further links of the logged-in learner in the header. */
  readonly links?: ReactNode;
  readonly children: ReactNode;
}

/** Header, page and footer. A study room takes the whole height and has no footer. */
export function Layout({ account, links, children }: LayoutProps) {
  const { t } = useTranslation();
  const [isStudyRoom] = useRoute(paths.studyRoom);
  const [isModeration] = useRoute(paths.moderation);
  const isLoggedIn = useSession((session) => session.isLoggedIn);
  const room = useCurrentRoom(({ live, seat }) => live ?? seat);
  const hasSeat = useCurrentRoom(({ seat }) => seat !== null);
  const [path] = useLocation();
  const isRoomPage = room !== null && path === studyRoomPath(room.roomId);
  const mainRef = useRef<HTMLElement>(null);
  usePageFocus(mainRef);
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href={`#${MAIN_ID}`}
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-medium bg-primary px-4 py-3 font-semibold text-on-primary text-small focus:translate-y-0"
      >
        {t('header.skip')}
      </a>
      <Header account={account} links={links} wide={(isRoomPage && hasSeat) || isModeration} />
      {isLoggedIn && room && (
        <div
          className={classNames(
            isRoomPage
              ? 'contents'
              : // The place of the small bar is reserved from the first paint (theme.js, base.css).
                'sticky top-16 z-20 min-h-(--small-bar-height) border-line border-b bg-lamp-wash',
          )}
        >
          <LearnerRoom />
        </div>
      )}
      <main ref={mainRef} id={MAIN_ID} tabIndex={-1} className="flex flex-1 flex-col outline-none">
        {children}
      </main>
      {!isStudyRoom && <Footer />}
    </div>
  );
}
