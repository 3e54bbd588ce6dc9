import type { UserId } from '@mogakgong/contract';
import { type ComponentType, useEffect, useState } from 'react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { PanelHeading } from '../../shared/ui/panel.tsx';
import { DisplaySection } from './display-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { PrivacySection } from './privacy-section.tsx';
import { SecuritySection } from './security-section.tsx';
import { settingsTexts } from './settings-texts.ts';
import { StudySection } from './study-section.tsx';

/** A part of the settings; `name` is its address too: `/settings#security`. */
interface Section {
  readonly name: 'display' | 'study' | 'notifications' | 'security' | 'privacy';
  /** Its panels. */
  readonly Content: ComponentType<{ readonly userId: UserId }>;
}

const SECTIONS: readonly Section[] = [
  { name: 'display', Content: DisplaySection },
  { name: 'study', Content: StudySection },
  { name: 'notifications', Content: NotificationsSection },
  { name: 'security', Content: SecuritySection },
  { name: 'privacy', Content: PrivacySection },
];

/** What a learner can choose: in this browser, and for their account. */
export function SettingsPage() {
  const { t } = useTranslation(settingsTexts);
  const userId = useOwnUserId();
  usePageTitle(t('page.title'));
  useEffect(() => {
    // The browser looked for it before the page was there.
    if (window.location.hash) document.querySelector(window.location.hash)?.scrollIntoView();
  }, []);
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
                  <h2 id={`${name}-title`} className="font-bold text-title">
                    {t(`${name}.title`)}
                  </h2>
                  <p className="text-ink-soft text-small">{t(`${name}.lead`)}</p>
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

/** Leads to each section: beside them, in narrow windows in a row above them. */
function SectionLinks() {
  const { t } = useTranslation(settingsTexts);
  const shown = useShownSection();
  return (
    <nav
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

/** A line across the window, a quarter from its top: the section that crosses it is being read. */
const READING_LINE = '-25% 0px -75% 0px';

/** The section that is being read, by where the page is scrolled to. */
function useShownSection(): Section['name'] {
  const [shown, setShown] = useState<Section['name']>('display');
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const crossing = entries.find(({ isIntersecting }) => isIntersecting)?.target.id;
        const section = SECTIONS.find(({ name }) => name === crossing);
        if (section) setShown(section.name);
      },
      { rootMargin: READING_LINE },
    );
    for (const { name } of SECTIONS) {
      const element = document.getElementById(name);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, []);
  return shown;
}
