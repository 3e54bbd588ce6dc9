import type { getLiveliness, RouteReply } from '@mogakgong/contract';

// The path is written out, checked by its type: importing the route would also download its schemas.
const LIVELINESS_PATH: (typeof getLiveliness)['path'] = '/api/study-rooms/liveliness';
const PATIENCE_MS = 5_000;
/** Fewer would contradict the crowd that is drawn beside the line. */
const FEWEST_SHOWN = 3;

/**
 * Fills the landing page's live line with the number of seated learners. The line stays empty for a few,
 * without an answer or with an invalid one.
 */
export async function showLiveCount(root: ParentNode): Promise<void> {
  const line = root.querySelector<HTMLElement>('[data-live-count]');
  const place = line?.querySelector('[data-live-count-text]');
  if (!line || !place) return;
  try {
    const answer = await fetch(LIVELINESS_PATH, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) return;
    const { learners } = (await answer.json()) as RouteReply<typeof getLiveliness>;
    if (!Number.isInteger(learners) || learners < FEWEST_SHOWN) return;
    const count = new Intl.NumberFormat(document.documentElement.lang).format(learners);
    place.textContent = (line.dataset.liveCount ?? '').replace('{{count}}', count);
    line.classList.replace('opacity-0', 'opacity-100');
  } catch {
    // The landing page is complete without the number.
  }
}
