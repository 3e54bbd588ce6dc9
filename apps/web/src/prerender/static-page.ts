import '../app/ui-font.css';
import '../app/app.css';
import '../pages/landing/landing.css';
import { showLiveCount } from '../pages/landing/live-count.ts';
import { languages, rememberLanguage } from '../shared/i18n/language.ts';
import { chooseNextTheme } from '../shared/lib/theme.ts';
import { loadFontsOfOthers } from '../shared/ui/fonts-of-others.ts';

/** The whole script of a prerendered page for visitors: theme, language, number of learners. */
function startStaticPage(): void {
  document.querySelector('[data-theme-switch]')?.addEventListener('click', chooseNextTheme);
  document.querySelector<HTMLElement>('[data-language]')?.addEventListener('click', (event) => {
    const wanted = (event.currentTarget as HTMLElement).dataset.language;
    const language = languages.find((candidate) => candidate === wanted);
    if (!language) return;
    rememberLanguage(language);
    location.reload();
  });
  void showLiveCount(document);
}

/** A learner gets the application, with their header, in place of the sent page, which stays until then. */
function startApplication(): void {
  const sent = document.querySelector<HTMLElement>('[data-application]');
  if (!sent || document.documentElement.dataset.session !== 'in') return;
  sent.dataset.ahead = 'all';
  const script = document.createElement('script');
  script.type = 'module';
  script.src = sent.dataset.application ?? '';
  // The sent page is whole, with a link to the study room in its header.
  script.addEventListener('error', () => delete sent.dataset.ahead);
  document.head.append(script);
}

startStaticPage();
startApplication();
void loadFontsOfOthers();
