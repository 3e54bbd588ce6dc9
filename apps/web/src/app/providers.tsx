import type { ReactNode } from 'react';
import { ErrorBoundary } from '../shared/ui/error-boundary.tsx';
import { Notices } from '../shared/ui/notices.tsx';

/** What surrounds every page: the last net for errors, and the place where notices appear. */
export function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <ErrorBoundary>{children}</ErrorBoundary>
      <Notices />
    </>
  );
}
