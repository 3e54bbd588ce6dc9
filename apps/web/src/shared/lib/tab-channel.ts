import * as z from 'zod/mini';

/** Messages between the tabs of one browser, not stored anywhere. */
export interface TabChannel<Message> {
  /** Sends to the other tabs; this one must be listening itself. */
  post(message: Message): void;
  /** Listens to the others. Returns a cleanup function. */
  listen(listener: (message: Message) => void): () => void;
}

/**
 * Opened by the first listener. A message that does not match `Message` is ignored: another tab may be of
 * another version.
 */
export function createTabChannel<Message>(
  name: string,
  form: z.ZodMiniType<Message>,
): TabChannel<Message> {
  const listeners = new Set<(message: Message) => void>();
  let channel: BroadcastChannel | null = null;
  const open = () => {
    const opened = new BroadcastChannel(name);
    opened.addEventListener('message', ({ data }) => {
      const message = z.safeParse(form, data);
      if (message.success) for (const listener of [...listeners]) listener(message.data);
    });
    return opened;
  };
  return {
    post: (message) => channel?.postMessage(message),
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
