import '../app/ui-font.css';
import '../app/app.css';
import '../pages/landing/landing.css';
import { showLiveCount } from '../pages/landing/live-count.ts';
import { languages, rememberLanguage } from '../shared/i18n/language.ts';
import { storageKeys } from '../shared/lib/storage-keys.ts';
import { chooseNextTheme } from '../shared/lib/theme.ts';
import { loadFontsOfOthers } from '../shared/ui/fonts-of-others.ts';

/** The whole script of a prerendered page: theme, language, greeting, number of learners. */
function startStaticPage(): void {
  document.querySelector('[data-theme-switch]')?.addEventListener('click', chooseNextTheme);
  document.querySelector<HTMLElement>('[data-language]')?.addEventListener('click', (event) => {
    const wanted = (event.currentTarget as HTMLElement).dataset.language;
    const language = languages.find((candidate) => candidate === wanted);
    if (!language) return;
    rememberLanguage(language);
    location.reload();
  });
  welcome();
  void showLiveCount(document);
}

/** Puts the logged-in learner's nickname into the header. */
function welcome(): void {
  const place = document.querySelector<HTMLElement>('[data-welcome]');
  const nickname = storedNickname();
  if (place && nickname) {
    place.textContent = (place.dataset.welcome ?? '').replace('{{nickname}}', nickname);
  }
}

function storedNickname(): string | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKeys.session) ?? 'null');
    const nickname = (stored as { state?: { user?: { nickname?: unknown } } } | null)?.state?.user
      ?.nickname;
    return typeof nickname === 'string' ? nickname : undefined;
  } catch {
    return undefined;
  }
}

startStaticPage();
void loadFontsOfOthers();
