import { type KeyboardEvent, type ReactNode, useCallback, useId, useRef, useState } from 'react';
import type { MenuEntry } from './menu-list.tsx';
import { MenuList } from './menu-list.tsx';

interface MenuProps {
  /** The menu's name, for screen readers. */
  readonly label: string;
  /** The content of the button. */
  readonly trigger: ReactNode;
  /** The look of the button; a round one for a picture by default. */
  readonly triggerClassName?: string | undefined;
  /** Above the entries, hidden from screen readers; it repeats information from elsewhere. */
  readonly head?: ReactNode;
  readonly entries: readonly MenuEntry[];
}

const ROUND_TRIGGER = 'flex min-h-11 min-w-11 items-center justify-center gap-1 rounded-full';

/**
 * A menu button (WAI-ARIA): toggles on click, closes on Escape, Tab, a choice and a press outside;
 * arrows, Home and End move.
 */
export function Menu(props: MenuProps) {
  const { label, trigger, triggerClassName = ROUND_TRIGGER, head, entries } = props;
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setIsOpen(false), []);
  const onButtonKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setIsOpen(true);
  };
  return (
    <div className="min-w-0">
      <button
        ref={buttonRef}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className={triggerClassName}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={onButtonKey}
      >
        {trigger}
      </button>
      {isOpen && (
        <MenuList
          id={id}
          label={label}
          head={head}
          entries={entries}
          buttonRef={buttonRef}
          onClose={close}
        />
      )}
    </div>
  );
}
