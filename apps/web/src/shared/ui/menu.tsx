import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { classNames } from './class-names.ts';

/** One entry: it goes somewhere (`href`) or does something (`onSelect`). */
export interface MenuEntry {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly href?: string;
  readonly onSelect?: () => void;
  readonly disabled?: boolean;
}

interface MenuProps {
  /** What the button opens, for screen readers. */
  readonly label: string;
  /** What the button shows. */
  readonly trigger: ReactNode;
  readonly entries: readonly MenuEntry[];
}

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

function focusEntry(list: HTMLElement | null, key: string): boolean {
  const step = STEPS[key];
  const entries = [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  if (!step || entries.length === 0) return false;
  const focused = entries.indexOf(document.activeElement as HTMLElement);
  entries[step(focused === -1 && key === 'ArrowUp' ? 0 : focused, entries.length)]?.focus();
  return true;
}

/**
 * A menu button (WAI-ARIA): toggles on click, closes on Escape, Tab, a choice and a press outside;
 * arrows, Home and End move. Disabled entries can be reached and read, not chosen.
 */
export function Menu({ label, trigger, entries }: MenuProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const rootRef = useRef<HTMLDivElement>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const listRef = useRef<HTMLDivElement>(null);
  const [, navigate] = useLocation();

  useEffect(() => {
    if (!isOpen) return;
    focusEntry(listRef.current, 'Home');
    const closeOutside = (event: PointerEvent) => {
      if (!rootRef.current?.contains(event.target as Node)) setIsOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const close = () => {
    setIsOpen(false);
    buttonRef.current?.focus();
  };
  const choose = (entry: MenuEntry) => {
    if (entry.disabled) return;
    close();
    entry.onSelect?.();
    if (entry.href) navigate(entry.href);
  };
  const onListKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') setIsOpen(false);
    else if (focusEntry(listRef.current, event.key)) event.preventDefault();
  };
  const onButtonKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setIsOpen(true);
  };

  return (
    <div ref={rootRef} className="relative">
      <button
        ref={buttonRef}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className="flex min-h-11 min-w-11 items-center justify-center gap-1 rounded-full"
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={onButtonKey}
      >
        {trigger}
      </button>
      {isOpen && (
        <div
          ref={listRef}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className="absolute right-0 z-40 mt-2 grid min-w-52 gap-0.5 rounded-medium border border-line bg-surface p-1.5 shadow-float"
          onKeyDown={onListKey}
        >
          {entries.map((entry) => (
            <MenuItem key={entry.key} entry={entry} onChoose={() => choose(entry)} />
          ))}
        </div>
      )}
    </div>
  );
}

interface MenuItemProps {
  readonly entry: MenuEntry;
  readonly onChoose: () => void;
}

function MenuItem({ entry, onChoose }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={entry.disabled || undefined}
      className={classNames(
        'flex min-h-11 items-center gap-3 rounded-small px-3 text-left text-small',
        entry.disabled ? 'text-ink-soft opacity-70' : 'hover:bg-raised focus:bg-raised',
      )}
      onClick={onChoose}
    >
      {entry.icon}
      {entry.label}
    </button>
  );
}
