import { Suspense } from 'react';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { useWonTitles } from './celebrations.ts';

const WonTitles = onDemand(async () => (await import('./won-titles.tsx')).WonTitles, {
  isQuiet: true,
});

/**
 * A line in the header that announces a won title: read out politely, never over tiles or chat, and hidden
 * after some seconds. It belongs inside the header.
 */
export function TitleCelebration() {
  const won = useWonTitles();
  return (
    <div
      role="status"
      data-testid="title-celebration"
      className="pointer-events-none absolute inset-x-0 top-0 grid h-16 place-items-center px-2"
    >
      <Suspense>{won.length > 0 && <WonTitles won={won} />}</Suspense>
    </div>
  );
}
