import { create } from 'zustand';

/** A dialog that the learner answers or closes. */
export interface Notice {
  readonly id: number;
  readonly title?: string;
  readonly text: string;
  /** Shown as a list below the text. */
  readonly points?: readonly string[];
  readonly confirmLabel?: string;
  /** With a cancel button the answer may be no. */
  readonly cancelLabel?: string;
  readonly answer: (confirmed: boolean) => void;
}

/** A toast, which goes away by itself or with its page. */
export interface ToastMessage {
  readonly id: number;
  /** The path of that page. */
  readonly page: string;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly action?: ToastAction | undefined;
}

/** An action of a toast; a press closes it. */
interface ToastAction {
  readonly label: string;
  readonly onPress: () => void;
}

/** An open modal dialog of any kind. */
export interface OpenWindow {
  readonly id: string;
  readonly interrupts: boolean;
}

interface NotifyState {
  readonly dialogs: readonly Notice[];
  /** In opening order. */
  readonly windows: readonly OpenWindow[];
  readonly toasts: readonly ToastMessage[];
}

const MAX_TOASTS = 3;

/** The notices that are shown now. */
export const useNotices = create<NotifyState>()(() => ({ dialogs: [], windows: [], toasts: [] }));
const { getState, setState } = useNotices;
let lastId = 0;

/**
 * Tells the learner something from anywhere, instead of `alert()`: the page, its clocks and screen readers
 * keep running (design §2). `<Notices>` shows it.
 */
export const notify = {
  /**
   * Opens a dialog; several are shown one after the other, the same text is not asked twice at a time.
   * Returns true for the confirm button, false for cancel, Escape or a repeat.
   */
  dialog(notice: Omit<Notice, 'id' | 'answer'>): Promise<boolean> {
    if (
      getState().dialogs.some((open) => open.text === notice.text && open.title === notice.title)
    ) {
      return Promise.resolve(false);
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    lastId += 1;
    const id = lastId;
    const answer = (confirmed: boolean): void => {
      setState({ dialogs: getState().dialogs.filter((open) => open.id !== id) });
      resolve(confirmed);
    };
    setState({ dialogs: [...getState().dialogs, { ...notice, id, answer }] });
    return promise;
  },

  /**
   * Shows a toast on the current page for some seconds; a text that is already shown is not repeated. For the
   * next page, call it after navigating. Returns the toast's id.
   */
  toast(text: string, tone: ToastMessage['tone'] = 'plain', action?: ToastAction): number {
    const others = getState().toasts.filter((toast) => toast.text !== text);
    lastId += 1;
    const toast: ToastMessage = { id: lastId, page: window.location.pathname, text, tone, action };
    setState({ toasts: [...others, toast].slice(-MAX_TOASTS) });
    return toast.id;
  },

  /** Registers an open modal dialog, until the returned function is called: toasts are shown in it. */
  windowOpened(opened: OpenWindow): () => void {
    setState({ windows: [...getState().windows, opened] });
    return () => setState({ windows: getState().windows.filter((open) => open !== opened) });
  },

  dismissToast(id: number): void {
    setState({ toasts: getState().toasts.filter((toast) => toast.id !== id) });
  },

  /** Removes the toasts of pages that have been left. */
  dismissLeftToasts(): void {
    const toasts = getState().toasts.filter(({ page }) => page === window.location.pathname);
    if (toasts.length < getState().toasts.length) setState({ toasts });
  },

  state: getState,
};
