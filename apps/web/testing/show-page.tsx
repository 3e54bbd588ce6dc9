import { act, screen, waitFor } from '@testing-library/react';
import { type ReactNode, Suspense } from 'react';
import { startFakeApi } from './fake-api.ts';
import { render } from './render.tsx';

const LOADING = 'texts-are-loading';

/** Shows a page with answers to its requests, by path; resolves once its texts are loaded. */
export async function showPage(page: ReactNode, answers: Record<string, unknown> = {}) {
  const api = startFakeApi(answers);
  const fallback = <i data-testid={LOADING} />;
  const view = await act(async () => render(<Suspense fallback={fallback}>{page}</Suspense>));
  await waitFor(() => {
    if (screen.queryByTestId(LOADING) !== null)
      throw new Error('The texts of the page are missing.');
  });
  return { ...view, ...api };
}
