import { act, render } from '@testing-library/react';
import { type ReactNode, Suspense } from 'react';
import { startFakeApi } from './fake-api.ts';

/** Shows a page whose requests get these answers, by path; resolves once its texts are there. */
export async function showPage(page: ReactNode, answers: Record<string, unknown> = {}) {
  const api = startFakeApi(answers);
  const view = await act(async () => render(<Suspense>{page}</Suspense>));
  return { ...view, ...api };
}
