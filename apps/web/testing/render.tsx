import { QueryClientProvider } from '@tanstack/react-query';
import * as testingLibrary from '@testing-library/react';
import { type ReactNode, Suspense } from 'react';
import { queryClient } from '../src/shared/api/query.ts';

const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <Suspense>{children}</Suspense>
  </QueryClientProvider>
);

/**
 * Testing Library's `render` inside the provider of the application's root. Content whose texts are downloaded
 * is awaited: `await act(async () => render(content))`.
 */
export const render = (content: ReactNode) => testingLibrary.render(content, { wrapper });

/** Testing Library's `renderHook` inside the provider of the application's root. */
export const renderHook = <Result, Props>(
  hook: (props: Props) => Result,
  options?: { readonly initialProps: Props },
) => testingLibrary.renderHook(hook, { ...options, wrapper });
