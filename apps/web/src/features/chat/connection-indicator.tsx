import { useTranslation } from '../../shared/i18n/texts.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import type { ChatConnection } from './chat-view.ts';

/** The Mock label, or a green or red dot (specification §2), said in words as well. */
export function ConnectionIndicator({ state, isMock }: ChatConnection) {
  const { t } = useTranslation();
  if (isMock) {
    return (
      <span className="rounded-small border border-line-strong px-1.5 font-semibold text-caption text-ink-soft">
        {t('chat.mock')}
      </span>
    );
  }
  const text = t(`chat.${state}`);
  return (
    <span data-chat-connection={state} title={text} className="grid size-5 place-items-center">
      <span
        aria-hidden="true"
        className={classNames(
          'size-2.5 rounded-full',
          state === 'connected' ? 'bg-focus' : 'bg-ended ring-3 ring-ended/25',
        )}
      />
      <span className="sr-only">{text}</span>
    </span>
  );
}
