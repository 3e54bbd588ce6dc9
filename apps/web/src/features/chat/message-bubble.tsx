import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { withoutBlankRuns } from './message-list.ts';

interface MessageBubbleProps {
  readonly text: string;
  readonly isMine: boolean;
  readonly isFailed: boolean;
  /** It is about to be drawn whole. */
  readonly onOpen: () => void;
}

/**
 * What somebody wrote: as text, never as markup, with its writing direction kept inside. One message
 * cannot push the others out of sight; the rest of a very long one is shown on demand.
 */
export function MessageBubble({ text, isMine, isFailed, onOpen }: MessageBubbleProps) {
  const { t } = useTranslation();
  const ref = useRef<HTMLParagraphElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isCut, setIsCut] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what is measured
  useLayoutEffect(() => {
    const paragraph = ref.current;
    if (paragraph !== null && !isOpen) setIsCut(paragraph.scrollHeight > paragraph.clientHeight);
  }, [text, isOpen]);
  return (
    <div
      className={classNames(
        'min-w-0 rounded-medium px-3 py-1.75 text-small leading-normal',
        isMine ? 'rounded-tr-[0.25rem] bg-lamp-wash' : 'rounded-tl-[0.25rem] bg-raised',
        isFailed && 'outline outline-danger',
      )}
    >
      <p
        ref={ref}
        dir="auto"
        className={classNames('wrap-anywhere whitespace-pre-wrap', !isOpen && 'line-clamp-12')}
      >
        <bdi>{withoutBlankRuns(text)}</bdi>
      </p>
      {isCut && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="-mx-1 min-h-8 rounded-small px-1 font-semibold text-caption hover:underline"
          onClick={() => {
            if (!isOpen) onOpen();
            setIsOpen(!isOpen);
          }}
        >
          {t(isOpen ? 'chat.less' : 'chat.more')}
        </button>
      )}
    </div>
  );
}
