import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { CloseButton } from './close-button.tsx';
import { notify, type OpenWindow, type ToastMessage, useNotices } from './notify.ts';
import { focusPageHeading } from './page-heading.ts';
import { useKeptFocus } from './use-kept-focus.ts';

/**
 * The toasts, in the top dialog: elements outside a modal dialog are behind it, and neither read out nor
 * pressed. Every dialog has a place for them, and the page.
 * @param windowId of the surrounding dialog; null in the page.
 */
export function Toasts({ windowId }: { readonly windowId: string | null }) {
  const isHere = useNotices(({ windows }) => topWindowId(windows) === windowId);
  const toasts = useNotices((state) => state.toasts);
  const ref = useRef<HTMLDivElement>(null);
  const cameFromRef = useRef<Element | null>(null);
  useKeptFocus(ref, () => {
    const cameFrom = cameFromRef.current;
    if (cameFrom instanceof HTMLElement && cameFrom.isConnected) cameFrom.focus();
    else focusPageHeading();
  });
  return (
    <div
      ref={ref}
      role="status"
      data-toasts
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) cameFromRef.current = relatedTarget;
      }}
      className="pointer-events-none fixed inset-x-0 top-16 z-50 grid justify-items-center gap-2 px-4 py-3"
    >
      {isHere && toasts.map((toast) => <Toast key={toast.id} toast={toast} />)}
    </div>
  );
}

/** The dialog opened last; an interrupting message stays above the others. */
function topWindowId(windows: readonly OpenWindow[]): string | null {
  return (windows.findLast(({ interrupts }) => interrupts) ?? windows.at(-1))?.id ?? null;
}

const TONE_ICONS = {
  plain: null,
  good: <CircleCheck size={20} aria-hidden="true" className="shrink-0 text-focus" />,
  bad: <CircleAlert size={20} aria-hidden="true" className="shrink-0 text-danger" />,
} as const;

/** Long enough to read two lines; a bad one stays longer, and one with a button. */
const SHOWN_MS = { plain: 5_000, good: 5_000, bad: 8_000 } as const;
const ACTION_SHOWN_MS = 15_000;

/**
 * Disappears by itself, but not while the pointer or the focus is on it (WCAG 2.2.1). A resting pointer under
 * which it appears does not count until it moves.
 */
function Toast({ toast: { id, text, tone, action } }: { readonly toast: ToastMessage }) {
  const [isHeld, setIsHeld] = useState(false);
  const shownMs = action ? ACTION_SHOWN_MS : SHOWN_MS[tone];
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => notify.dismissToast(id), shownMs);
    return () => clearTimeout(timer);
  }, [isHeld, id, shownMs]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only follows pointer and focus
    <div
      onPointerMove={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className="toast pointer-events-auto flex max-w-[min(32rem,100%)] items-center gap-3 rounded-medium border border-line bg-surface py-2 pr-2 pl-4 text-small shadow-float"
    >
      {TONE_ICONS[tone]}
      <p className="min-w-0 flex-1 py-1">{text}</p>
      {action && (
        <Button
          size="small"
          onClick={() => {
            notify.dismissToast(id);
            action.onPress();
          }}
        >
          {action.label}
        </Button>
      )}
      <CloseButton size="small" onClick={() => notify.dismissToast(id)} />
    </div>
  );
}
