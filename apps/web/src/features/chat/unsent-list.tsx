import { Copy, Trash2 } from 'lucide-react';
import { translate, useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { copyText } from './copy-text.ts';
import type { UnsentText } from './unsent-store.ts';

interface UnsentListProps {
  /** Why these texts stand here. */
  readonly lead: string;
  readonly texts: readonly UnsentText[];
  readonly onDiscard: (text: UnsentText) => void;
}

async function copy(text: string): Promise<void> {
  const isCopied = await copyText(text);
  notify.toast(translate(isCopied ? 'chat.copied' : 'chat.copyFailed'), isCopied ? 'good' : 'bad');
}

/** What the learner wrote and cannot send from here: to be copied or thrown away. */
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
                icon={<Copy size={14} aria-hidden="true" />}
                onClick={() => void copy(unsent.text)}
              >
                {t('chat.copy')}
              </Button>
              <Button
                size="small"
                variant="quiet"
                icon={<Trash2 size={14} aria-hidden="true" />}
                onClick={() => onDiscard(unsent)}
              >
                {t('chat.discard')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
