import { focusManager, notifyManager, QueryClient } from '@tanstack/react-query';
import { onWake } from '../clock/index.ts';

// The page also wakes up by thawing, by coming back online and when the computer's clock has jumped.
// Prerendering has no document.
if (typeof document !== 'undefined') {
  focusManager.setEventListener((refocus) => onWake(() => refocus()));
}
// The effect of a press shows in the same task, not one timer later.
notifyManager.setScheduler(queueMicrotask);

/**
 * The server state of the application. Keys contain the learner, so that nobody sees data that
 * another learner's log-in loaded in this tab.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    mutations: { networkMode: 'always' },
  },
});
