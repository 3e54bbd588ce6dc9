import type { UserId } from '@mogakgong/contract';
import { Copy, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { translate, useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { UnsentStore, type UnsentText } from './unsent-store.ts';

interface UnsentListProps {
  /** Why these texts are listed. */
  readonly lead: string;
  readonly texts: readonly UnsentText[];
  readonly onDiscard: (text: UnsentText) => void;
}

/** Puts a text on the clipboard; pages without https have to copy a selection. */
async function copy(text: string): Promise<void> {
  const written = navigator.clipboard?.writeText(text);
  const isCopied = (await written?.then(() => true).catch(() => false)) || copyBySelection(text);
  notify.toast(translate(isCopied ? 'chat.copied' : 'chat.copyFailed'), isCopied ? 'good' : 'bad');
}

/** What the learner wrote and cannot send from here, to be copied or discarded. */
export function UnsentList({ lead, texts, onDiscard }: UnsentListProps) {
  const { t } = useTranslation();
  if (texts.length === 0) return null;
  return (
    <section aria-label={t('chat.unsent')} className="text-left text-caption">
      <p className="text-ink-soft">{lead}</p>
      <ul className="mt-2 grid max-h-[min(13rem,30dvh)] gap-2 overflow-y-auto">
        {texts.map((unsent) => (
          <li key={unsent.key} className="rounded-medium border border-line bg-surface px-3 py-2">
            <p
              dir="auto"
              className="max-h-24 overflow-y-auto wrap-anywhere whitespace-pre-wrap text-small"
            >
              <bdi>{unsent.text}</bdi>
            </p>
            <div className="mt-1 flex flex-wrap items-center justify-end gap-1">
              <span className="mr-auto text-ink-soft">
                {t('room.title', { number: unsent.roomId })}
              </span>
              <Button
                size="small"
                variant="quiet"
                icon={Copy}
                onClick={() => void copy(unsent.text)}
              >
                {t('chat.copy')}
              </Button>
              <Button size="small" variant="quiet" icon={Trash2} onClick={() => onDiscard(unsent)}>
                {t('chat.discard')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a learner wrote and did not send, on pages without a chat; nothing when there is none. */
export function UnsentHere({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation();
  const store = useMemo(() => new UnsentStore(userId), [userId]);
  const [texts, setTexts] = useState(() => store.all());
  return (
    <UnsentList
      lead={t('chat.unsentKept')}
      texts={texts}
      onDiscard={(text) => {
        store.discard(text);
        setTexts(store.all());
      }}
    />
  );
}

/** Asks before the tab closes or reloads while a message has not been sent. */
export function useUnsentWarning(userId: UserId): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (new UnsentStore(userId).messages().length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [userId]);
}

/** Returns whether that worked. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
