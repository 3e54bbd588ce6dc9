import type { UserId } from '@mogakgong/contract';
import { type ComponentType, useEffect, useRef } from 'react';
import { Link, Redirect, useParams } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { BlockedPeoplePanel } from '../../features/blocks/blocked-people-panel.tsx';
import { FocusSettingsSection } from '../../features/focus/focus-settings-section.tsx';
import { richText } from '../../shared/i18n/format.tsx';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import {
  paths,
  type SettingsSection,
  settingsPath,
  settingsSections,
} from '../../shared/lib/paths.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { PanelHeading } from '../../shared/ui/panel.tsx';
import { DisplaySection } from './display-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { SecuritySection } from './security-section.tsx';

const PrivacySection = onDemand(async () => (await import('./privacy-section.tsx')).PrivacySection);

const PANELS: Readonly<Record<SettingsSection, ComponentType<{ readonly userId: UserId }>>> = {
  display: DisplaySection,
  study: FocusSettingsSection,
  notifications: NotificationsSection,
  security: SecuritySection,
  privacy: PrivacySection,
  blocked: BlockedPeoplePanel,
};

/** The learner's settings, in this browser and for their account: the page that the address names. */
export function SettingsPage() {
  const { t } = useTranslation(accountTexts);
  const { section = settingsSections[0] } = useParams();
  const shown = settingsSections.find((known) => known === section);
  if (shown === undefined) return <Redirect to={paths.settings} replace />;
  return (
    <div className="mx-auto w-full max-w-[72rem] px-4 py-8 sm:px-6 sm:py-12">
      <h1 className="pb-4 font-extrabold text-heading lg:pb-8">{t('settings.page.title')}</h1>
      <div className="grid gap-x-12 lg:grid-cols-[11rem_minmax(0,1fr)]">
        <SectionLinks shown={shown} />
        <Section key={shown} name={shown} />
      </div>
    </div>
  );
}

/** The title, an explanation and the panels of a page. */
function Section({ name }: { readonly name: SettingsSection }) {
  const { t } = useTranslation(accountTexts);
  const userId = useOwnUserId();
  const Panels = PANELS[name];
  usePageTitle(`${t(`${name}.title`)} · ${t('settings.page.title')}`);
  return (
    <section
      aria-labelledby={`${name}-title`}
      className="grid min-w-0 content-start gap-4 max-lg:pt-8"
    >
      <header className="grid gap-0.5">
        <h2 id={`${name}-title`} className="font-bold text-title">
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
      <PanelHeading value="h3">{userId !== null && <Panels userId={userId} />}</PanelHeading>
    </section>
  );
}

/** A link to each page: beside it, in narrow windows in a row above it. */
function SectionLinks({ shown }: { readonly shown: SettingsSection }) {
  const { t } = useTranslation(accountTexts);
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    // In narrow windows the row is wider than the window.
    const link = ref.current?.querySelector<HTMLElement>(`[href="${settingsPath(shown)}"]`);
    if (link) ref.current?.scrollTo({ left: link.offsetLeft - link.offsetWidth });
  }, [shown]);
  return (
    <nav
      ref={ref}
      aria-label={t('settings.page.nav')}
      className="sticky top-16 z-20 max-lg:-mx-4 max-lg:overflow-x-auto max-lg:border-line max-lg:border-b max-lg:bg-ground max-lg:px-4 sm:max-lg:-mx-6 sm:max-lg:px-6 lg:top-24 lg:self-start"
    >
      <ul className="flex w-max gap-1 py-2 lg:w-full lg:flex-col lg:py-0">
        {settingsSections.map((name) => (
          <li key={name}>
            <Link
              href={settingsPath(name)}
              aria-current={shown === name ? 'page' : undefined}
              className="flex min-h-11 items-center rounded-medium px-3 text-ink-soft text-small hover:bg-raised hover:text-ink aria-[current]:bg-raised aria-[current]:font-semibold aria-[current]:text-ink"
              onClick={() => window.scrollTo(0, 0)}
            >
              {t(`${name}.title`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
