import { QueryClientProvider } from '@tanstack/react-query';
import * as testingLibrary from '@testing-library/react';
import type { ReactNode } from 'react';
import { queryClient } from '../src/shared/api/query.ts';

const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

/** Testing Library's `render` inside the provider of the application's root. */
export const render = (content: ReactNode) => testingLibrary.render(content, { wrapper });

/** Testing Library's `renderHook` inside the provider of the application's root. */
export const renderHook = <Result, Props>(
  hook: (props: Props) => Result,
  options?: { readonly initialProps: Props },
) => testingLibrary.renderHook(hook, { ...options, wrapper });
