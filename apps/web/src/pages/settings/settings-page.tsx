import type { UserId } from '@mogakgong/contract';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { BlockedPeoplePanel } from '../../features/blocks/blocked-people-panel.tsx';
import { richText } from '../../shared/i18n/format.tsx';
import { settingsTexts } from '../../shared/i18n/settings-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { PanelHeading } from '../../shared/ui/panel.tsx';
import { DisplaySection } from './display-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { StudySection } from './study-section.tsx';

/** Sections with many panels are downloaded beside the page. */
const SecuritySection = onDemand(
  async () => (await import('./security-section.tsx')).SecuritySection,
);
const PrivacySection = onDemand(async () => (await import('./privacy-pages.ts')).PrivacySection);

/** A part of the settings; `name` is its address too: `/settings#security`. */
interface Section {
  readonly name: 'display' | 'study' | 'notifications' | 'security' | 'privacy' | 'blocked';
  /** Its panels. */
  readonly Content: ComponentType<{ readonly userId: UserId }>;
}

const SECTIONS: readonly Section[] = [
  { name: 'display', Content: DisplaySection },
  { name: 'study', Content: StudySection },
  { name: 'notifications', Content: NotificationsSection },
  { name: 'security', Content: SecuritySection },
  { name: 'privacy', Content: PrivacySection },
  { name: 'blocked', Content: BlockedPeoplePanel },
];

/** The learner's settings, in this browser and for their account. */
export function SettingsPage() {
  const { t } = useTranslation(settingsTexts);
  const userId = useOwnUserId();
  usePageTitle(t('page.title'));
  useNamedSection();
  return (
    <div className="mx-auto w-full max-w-[72rem] px-4 py-8 sm:px-6 sm:py-12">
      <h1 className="pb-4 font-extrabold text-heading lg:pb-8">{t('page.title')}</h1>
      <div className="grid gap-x-12 lg:grid-cols-[11rem_minmax(0,1fr)]">
        <SectionLinks />
        <div className="grid min-w-0 gap-12 max-lg:pt-8">
          {userId !== null &&
            SECTIONS.map(({ name, Content }) => (
              <section
                key={name}
                id={name}
                aria-labelledby={`${name}-title`}
                className="grid scroll-mt-16 gap-4 lg:scroll-mt-4"
              >
                <header className="grid gap-0.5">
                  <h2
                    id={`${name}-title`}
                    tabIndex={-1}
                    className="rounded-small font-bold text-title"
                  >
                    {t(`${name}.title`)}
                  </h2>
                  <p className="text-ink-soft text-small">
                    {richText(t(`${name}.lead`), {
                      link: (inside) => (
                        <Link href={paths.myPage} className="underline hover:text-ink">
                          {inside}
                        </Link>
                      ),
                    })}
                  </p>
                </header>
                <PanelHeading value="h3">
                  <Content userId={userId} />
                </PanelHeading>
              </section>
            ))}
        </div>
      </div>
    </div>
  );
}

/**
 * Starts at the section that the address names: the browser looked for it before the page existed. Content
 * that loads above does not push it away until the reader moves.
 */
function useNamedSection(): void {
  useEffect(() => {
    const section = document.getElementById(window.location.hash.slice(1));
    const heading = section?.querySelector('h2');
    if (!section?.parentElement || !heading) return;
    heading.focus({ preventScroll: true });
    section.scrollIntoView();
    const observer = new ResizeObserver(() => section.scrollIntoView());
    observer.observe(section.parentElement);
    const stop = () => observer.disconnect();
    for (const move of MOVES) window.addEventListener(move, stop, { passive: true });
    return () => {
      stop();
      for (const move of MOVES) window.removeEventListener(move, stop);
    };
  }, []);
}

/** Events by which a reader moves on the page. */
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** A link to each section: beside them, in narrow windows in a row above them. */
function SectionLinks() {
  const { t } = useTranslation(settingsTexts);
  const shown = useShownSection();
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    // In narrow windows the row is wider than the window.
    const link = ref.current?.querySelector<HTMLElement>(`[href="#${shown}"]`);
    if (link) ref.current?.scrollTo({ left: link.offsetLeft - link.offsetWidth });
  }, [shown]);
  return (
    <nav
      ref={ref}
      aria-label={t('page.nav')}
      className="sticky top-16 z-20 max-lg:-mx-4 max-lg:overflow-x-auto max-lg:border-line max-lg:border-b max-lg:bg-ground max-lg:px-4 sm:max-lg:-mx-6 sm:max-lg:px-6 lg:top-24 lg:self-start"
    >
      <ul className="flex w-max gap-1 py-2 lg:w-full lg:flex-col lg:py-0">
        {SECTIONS.map(({ name }) => (
          <li key={name}>
            <a
              href={`#${name}`}
              aria-current={shown === name ? 'true' : undefined}
              className="flex min-h-11 items-center rounded-medium px-3 text-ink-soft text-small hover:bg-raised hover:text-ink aria-[current]:bg-raised aria-[current]:font-semibold aria-[current]:text-ink"
            >
              {t(`${name}.title`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The section that is being read, by the scroll position. */
function useShownSection(): Section['name'] {
  const [shown, setShown] = useState<Section['name']>('display');
  useEffect(() => {
    const follow = () => setShown(sectionBeingRead());
    follow();
    window.addEventListener('scroll', follow, { passive: true });
    return () => window.removeEventListener('scroll', follow);
  }, []);
  return shown;
}

/**
 * The last section that begins in the upper quarter of the window. At the end of the page, where the last
 * sections cannot reach it, the section that the address names, if visible, else the last.
 */
function sectionBeingRead(): Section['name'] {
  const { innerHeight, scrollY, location } = window;
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 1;
  const isNamed = (name: string) => location.hash === `#${name}`;
  const begun = SECTIONS.map(({ name }) => ({
    name,
    topPx: document.getElementById(name)?.getBoundingClientRect().top ?? 0,
  })).filter(({ topPx }) => topPx < (isAtEnd ? innerHeight : innerHeight / 4));
  const named = begun.find(({ name, topPx }) => isAtEnd && topPx >= 0 && isNamed(name));
  return (named ?? begun.at(-1))?.name ?? 'display';
}
