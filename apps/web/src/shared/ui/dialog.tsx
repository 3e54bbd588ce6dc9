import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { notify } from './notify.ts';
import { focusPageHeading } from './page-heading.ts';
import { Toasts } from './toasts.tsx';
import { useRootAttribute } from './use-root-attribute.ts';

interface DialogProps {
  /**
   * Escape or a press outside asks to close; the owner then removes the dialog. Absent while it must be
   * answered: then neither does anything.
   */
  readonly onClose?: (() => void) | undefined;
  readonly title: string;
  readonly children?: ReactNode;
  /** The buttons, the least harmful first. */
  readonly actions?: ReactNode;
  /** `alertdialog` interrupts with a message; a press outside does not close it. */
  readonly role?: 'dialog' | 'alertdialog';
}

/**
 * A modal dialog on the native element, open while mounted: the browser keeps the focus inside, makes the
 * page behind it inert and gives the focus back; to the page's heading if the former element is gone.
 */
export function Dialog({ onClose, title, children, actions, role = 'dialog' }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useRootAttribute('data-behind-window');
  useLayoutEffect(() => {
    const dialog = ref.current;
    const former = document.activeElement;
    dialog?.showModal();
    const tellClosed = notify.windowOpened({ id, interrupts: role === 'alertdialog' });
    // The browser scrolls to the control that it focuses.
    if (dialog && dialog.scrollTop > 0) headingRef.current?.focus();
    if (role === 'dialog') keepMessagesAbove();
    // If it is removed while open, the focus would go to the page.
    return () => {
      tellClosed();
      dialog?.close();
      // Also when the dialog's own container is gone. The page itself has the focus if it was lost before.
      if (!former?.isConnected || former === document.body) queueMicrotask(focusPageHeading);
    };
  }, [id, role]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way, the browser handles it
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={role === 'alertdialog' && children ? `${id}-body` : undefined}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] scroll-pt-12 scroll-pb-24 rounded-large border border-line bg-surface p-0 text-ink shadow-float"
      closedby={onClose ? 'closerequest' : 'none'}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // On a second Escape browsers close it even if that was prevented; it stays open while mounted.
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected && !currentTarget.open) currentTarget.showModal();
      }}
      onClick={(event) => {
        if (role === 'dialog' && event.target === ref.current) onClose?.();
      }}
    >
      <div
        className={classNames(
          'grid gap-4 px-6 pt-6 sm:px-7 sm:pt-7',
          actions ? 'pb-4' : 'pb-6 sm:pb-7',
        )}
      >
        <h2
          ref={headingRef}
          id={`${id}-title`}
          tabIndex={-1}
          className="scroll-mt-24 text-title font-bold outline-none"
        >
          {title}
        </h2>
        {children && (
          <div id={`${id}-body`} className="text-ink-soft">
            {children}
          </div>
        )}
      </div>
      {/* Reachable even if the window is lower than the content; its edge shows that there is more (base.css). */}
      <div className="dialog-end sticky bottom-0 bg-surface">
        {actions && (
          <div className="flex flex-wrap justify-end gap-2 px-6 pt-2 pb-6 sm:px-7 sm:pb-7">
            {actions}
          </div>
        )}
      </div>
      <Toasts windowId={id} />
    </dialog>
  );
}

/** An interrupting message stays above a dialog that opens after it. */
function keepMessagesAbove(): void {
  for (const message of document.querySelectorAll<HTMLDialogElement>(
    'dialog[open][role="alertdialog"]',
  )) {
    message.close();
    message.showModal();
  }
}
