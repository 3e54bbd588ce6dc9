import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach } from 'vitest';
import { useSession } from '../src/features/auth/session.ts';
import { showPage } from './show-page.tsx';

/**
 * For the tests of a page that a link with a secret leads to: each begins with a visitor who knows no secret.
 * Returns a function that shows the page at an address.
 */
export function linkPage(page: ReactNode) {
  beforeEach(() => {
    sessionStorage.clear();
    useSession.setState({ isLoggedIn: false, token: null, user: null });
  });
  return async (address: string, answers: Record<string, unknown> = {}) => {
    window.history.replaceState(null, '', address);
    const view = await showPage(page, answers);
    await screen.findByRole('heading', { level: 1 });
    return view;
  };
}
