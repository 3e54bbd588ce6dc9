import { focusManager, notifyManager, QueryClient } from '@tanstack/react-query';
import { onWake } from '../clock/index.ts';

// The page also wakes up by thawing, by coming back online and when the computer's clock has jumped.
// Where pages are rendered ahead there is nothing to wake.
if (typeof document !== 'undefined') {
  focusManager.setEventListener((refocus) => onWake(() => refocus()));
}
// What a press changes shows in the same task, not one timer later.
notifyManager.setScheduler(queueMicrotask);

/**
 * Everything that the signed-in part of the application knows of the server. Keys name the learner, so
 * that nobody sees what another learner's log-in loaded in this tab.
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
queryClient.mount();
