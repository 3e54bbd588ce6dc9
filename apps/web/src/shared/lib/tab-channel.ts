import * as z from 'zod/mini';

/** A way for the tabs of one browser to tell each other something that none of them keeps. */
export interface TabChannel<News> {
  /** Tells the other tabs, while this one listens itself. */
  tell(news: News): void;
  /** Listens to the others. Returns a cleanup function. */
  listen(listener: (news: News) => void): () => void;
}

/**
 * Opens nothing until somebody listens. What does not have the form of `News` is left alone: another
 * tab may be of another version.
 */
export function createTabChannel<News>(name: string, form: z.ZodMiniType<News>): TabChannel<News> {
  const listeners = new Set<(news: News) => void>();
  let channel: BroadcastChannel | null = null;
  const open = () => {
    const opened = new BroadcastChannel(name);
    opened.addEventListener('message', ({ data }) => {
      const news = z.safeParse(form, data);
      if (news.success) for (const listener of [...listeners]) listener(news.data);
    });
    return opened;
  };
  return {
    tell: (news) => channel?.postMessage(news),
    listen(listener) {
      listeners.add(listener);
      channel ??= open();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        channel?.close();
        channel = null;
      };
    },
  };
}
