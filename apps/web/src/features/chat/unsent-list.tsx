import type { UserId } from '@mogakgong/contract';
import { Copy, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { copyText } from '../../shared/ui/copy-text.ts';
import { UnsentStore, type UnsentText } from './outbox.ts';

interface UnsentListProps {
  /** Why these texts are listed. */
  readonly lead: string;
  readonly texts: readonly UnsentText[];
  readonly onDiscard: (text: UnsentText) => void;
}

/** The learner's texts that cannot be sent from here, to copy or discard. */
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
                onClick={() => void copyText(unsent.text)}
              >
                {t('common.copy')}
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

/** A learner's unsent texts on pages without a chat; nothing without any. */
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
