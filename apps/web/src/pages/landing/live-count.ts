import type { getLiveliness, RouteReply } from '@mogakgong/contract';

// The path is written out, checked by its type: importing the route would download its schemas too.
const LIVELINESS_PATH: (typeof getLiveliness)['path'] = '/api/study-rooms/liveliness';
const PATIENCE_MS = 5_000;

/**
 * Fills the landing page's live line with how many learners are seated now. Nobody seated, no
 * answer or a strange one: the line stays empty.
 */
export async function showLiveCount(root: ParentNode): Promise<void> {
  const line = root.querySelector<HTMLElement>('[data-live-count]');
  const place = line?.querySelector('[data-live-count-text]');
  if (!line || !place) return;
  try {
    const answer = await fetch(LIVELINESS_PATH, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) return;
    const { learners } = (await answer.json()) as RouteReply<typeof getLiveliness>;
    if (!Number.isInteger(learners) || learners < 1) return;
    const count = new Intl.NumberFormat(document.documentElement.lang).format(learners);
    place.textContent = (line.dataset.liveCount ?? '').replace('{{count}}', count);
    line.classList.replace('opacity-0', 'opacity-100');
  } catch {
    // A landing page without the number is whole.
  }
}
