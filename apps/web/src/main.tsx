import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import './app/app.css';
import { loadFontsOfOthers } from './shared/ui/fonts-of-others.ts';
import './app/ui-font.css';
import { startSession } from './features/auth/session.ts';
import { startLanguage } from './shared/i18n/texts.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

function start(container: HTMLElement): void {
  startSession();
  // The page is shown ahead: it is drawn in slices, between which the browser answers.
  startTransition(() =>
    createRoot(container).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
  void loadFontsOfOthers();
}

const hasTexts = await startLanguage().then(
  () => true,
  () => false,
);
if (hasTexts) start(root);
// What the page says of itself in both languages (prerender/render.tsx).
else document.querySelector('[data-not-started]')?.removeAttribute('hidden');
