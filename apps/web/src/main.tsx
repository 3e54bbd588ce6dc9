import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import './app/app.css';
import { loadFontsOfOthers } from './shared/ui/fonts-of-others.ts';
import './app/ui-font.css';
import { startSession } from './features/auth/session.ts';
import { queryClient } from './shared/api/query.ts';
import { startLanguage } from './shared/i18n/texts.ts';
import { reportCaught, watchErrors } from './shared/lib/watch-errors.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

/** Logs a failure that an error boundary shows in place of a part of the page. */
function onCaughtError(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: as React does without this function.
  console.error(error);
  reportCaught(error);
}

function start(container: HTMLElement): void {
  startSession();
  // A prerendered page is hydrated in slices, so that the browser can answer in between.
  startTransition(() =>
    createRoot(container, { onCaughtError }).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <App />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
  void loadFontsOfOthers();
}

watchErrors();
const hasTexts = await startLanguage().then(
  () => true,
  () => false,
);
if (hasTexts) start(root);
// The page's own title and description in both languages (prerender/render.tsx).
else document.querySelector('[data-not-started]')?.removeAttribute('hidden');
