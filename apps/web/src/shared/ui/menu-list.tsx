import type { LucideIcon } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import { NewsDot } from './news-dot.tsx';

/** One entry: a link (`href`), an action (`onSelect`), or further entries in the place of these (`more`). */
export interface MenuEntry {
  readonly key: string;
  readonly label: string;
  /** The label's language, if it is not the page's. */
  readonly lang?: string;
  readonly icon?: LucideIcon;
  readonly href?: string;
  readonly onSelect?: () => void;
  readonly more?: readonly MenuEntry[];
  /** News behind the entry: a dot, and this text for screen readers. */
  readonly news?: string | undefined;
}

/** Between the button and its list, and between the list and the window's edge, in px. */
const DISTANCE_PX = 8;

/**
 * Places the list, which is in the top layer so that nothing clips it, below its button, or above it at the
 * end of the window, and inside the window.
 */
function placeBeside(list: HTMLElement, button: HTMLElement): void {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = list;
  const rightmost = window.innerWidth - width - DISTANCE_PX;
  const wantedLeft = left <= rightmost ? left : right - width;
  const fitsBelow = bottom + DISTANCE_PX + height <= window.innerHeight;
  list.style.left = `${Math.max(DISTANCE_PX, Math.min(wantedLeft, rightmost))}px`;
  list.style.top = `${fitsBelow ? bottom + DISTANCE_PX : Math.max(DISTANCE_PX, top - DISTANCE_PX - height)}px`;
}

/** Shows the list beside its button, also while that moves, until a press elsewhere. */
function openBeside(list: HTMLElement, button: HTMLElement, onPressedElsewhere: () => void) {
  const stop = new AbortController();
  const options = { capture: true, passive: true, signal: stop.signal };
  const follow = () => placeBeside(list, button);
  const closeFromOutside = ({ target }: PointerEvent) => {
    if (![list, button].some((own) => own.contains(target as Node))) onPressedElsewhere();
  };
  list.showPopover?.();
  follow();
  // A log scrolls by itself when a message arrives.
  document.addEventListener('scroll', follow, options);
  window.addEventListener('resize', follow, options);
  document.addEventListener('pointerdown', closeFromOutside, options);
  return () => stop.abort();
}

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

/** Moves the focus between the entries by an arrow key, Home or End. */
function focusEntry(list: HTMLElement | null, key: string): boolean {
  const step = STEPS[key];
  const entries = [...(list?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
  if (!step || entries.length === 0) return false;
  const focused = entries.indexOf(document.activeElement as HTMLElement);
  entries[step(focused === -1 && key === 'ArrowUp' ? 0 : focused, entries.length)]?.focus();
  return true;
}

interface OpenMenu {
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
  /** It stays the same function. */
  readonly onClose: () => void;
  /** Keys that mean another one of `STEPS` here. */
  readonly keys?: Readonly<Record<string, string>>;
}

/**
 * The behaviour of an open menu (WAI-ARIA): it stands beside its button, with the focus on its first entry;
 * arrows, Home and End move, Escape, Tab and a press elsewhere close it.
 */
export function useOpenMenu({ buttonRef, onClose, keys = {} }: OpenMenu) {
  const listRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [list, button] = [listRef.current, buttonRef.current];
    if (!list || !button) return;
    const stop = openBeside(list, button, onClose);
    focusEntry(list, 'Home');
    return stop;
  }, [buttonRef, onClose]);
  /** Closes it, with the focus back on its button. */
  const close = () => {
    onClose();
    buttonRef.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // Only the menu closes, not the dialog or panel around it.
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab') onClose();
    else if (focusEntry(listRef.current, keys[event.key] ?? event.key)) event.preventDefault();
  };
  return { listRef, close, onKeyDown };
}

interface MenuListProps {
  readonly id: string;
  readonly label: string;
  readonly head?: ReactNode;
  readonly entries: readonly MenuEntry[];
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** The open list of a menu (menu.tsx), with the focus on its first entry. */
export function MenuList({ id, label, head, entries, buttonRef, onClose }: MenuListProps) {
  const { listRef, close, onKeyDown } = useOpenMenu({ buttonRef, onClose });
  const [openKey, setOpenKey] = useState<string | null>(null);
  const shown = entries.find(({ key }) => key === openKey)?.more ?? entries;
  const [, navigate] = useLocation();
  useEffect(() => {
    if (openKey !== null) focusEntry(listRef.current, 'Home');
  }, [listRef, openKey]);

  const choose = (entry: MenuEntry) => {
    if (entry.more) {
      setOpenKey(entry.key);
      return;
    }
    close();
    entry.onSelect?.();
    if (entry.href) navigate(entry.href);
  };
  return (
    <div
      ref={listRef}
      id={id}
      role="menu"
      tabIndex={-1}
      popover="manual"
      aria-label={label}
      // Even where its container lets presses through, as over a picture.
      className="pointer-events-auto fixed inset-auto m-0 max-h-[calc(100dvh-1rem)] min-w-52 gap-0.5 overflow-y-auto rounded-medium border border-line bg-surface p-1.5 text-ink shadow-float open:grid"
      onKeyDown={onKeyDown}
    >
      {head && <div aria-hidden="true">{head}</div>}
      {shown.map((entry) => (
        <MenuItem key={entry.key} entry={entry} onChoose={() => choose(entry)} />
      ))}
    </div>
  );
}

interface MenuItemProps {
  readonly entry: MenuEntry;
  readonly onChoose: () => void;
}

export function MenuItem({ entry, onChoose }: MenuItemProps) {
  const Icon = entry.icon;
  return (
    <button
      type="button"
      role="menuitem"
      lang={entry.lang}
      tabIndex={-1}
      className="flex min-h-11 items-center gap-3 rounded-small px-3 text-left text-small hover:bg-raised focus:bg-raised"
      onClick={onChoose}
    >
      {Icon && <Icon size={18} aria-hidden="true" />}
      {entry.label}
      {entry.news !== undefined && (
        <>
          <NewsDot className="ml-auto" />
          <span className="sr-only">{entry.news}</span>
        </>
      )}
    </button>
  );
}
