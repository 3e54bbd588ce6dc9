import { type ReactNode, useEffect, useRef, useState } from 'react';

interface RowChunkViewProps {
  /** The last chunk is always drawn: it grows. */
  readonly isLast: boolean;
  readonly children: ReactNode;
}

/** Rows are drawn this far outside of what is seen, so that scrolling meets no empty place. */
const DRAWN_AROUND = '800px 0px';

/**
 * The windowing of the list: rows far from what is seen are replaced by an empty place of their
 * height. A chunk that holds the focus stays.
 */
export function RowChunkView({ isLast, children }: RowChunkViewProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [heightPx, setHeightPx] = useState<number | null>(null);

  useEffect(() => {
    const element = ref.current;
    if (element === null || isLast) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry === undefined) return;
        const isKept = entry.isIntersecting || element.contains(document.activeElement);
        setHeightPx(isKept ? null : entry.boundingClientRect.height);
      },
      { root: element.closest('[data-chat-scroll]'), rootMargin: DRAWN_AROUND },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLast]);

  const isDrawn = isLast || heightPx === null;
  return (
    <div
      ref={ref}
      data-drawn={isDrawn}
      className="flow-root"
      style={isDrawn ? undefined : { height: heightPx }}
    >
      {isDrawn && children}
    </div>
  );
}
