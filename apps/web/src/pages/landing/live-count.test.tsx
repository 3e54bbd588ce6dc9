import { expect, it, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { allTexts } from '../../prerender/prerendered-pages.tsx';
import { LandingPage } from './landing-page.tsx';
import { showLiveCount } from './live-count.ts';

async function liveLine(answer: () => Response | Promise<Response>): Promise<string> {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => answer()),
  );
  const { container } = render(<LandingPage texts={allTexts.ko.landing} />);
  await showLiveCount(container);
  const line = container.querySelector('[data-live-count]');
  return line?.classList.contains('opacity-100') ? (line.textContent ?? '') : '';
}

it('says how many are studying now', async () => {
  const line = await liveLine(() => Response.json({ learners: 1234, rooms: 70 }));
  expect(line).toBe('지금 1,234명이 함께 공부하고 있어요');
});

it.each([
  ['nobody is seated', () => Response.json({ learners: 0, rooms: 0 })],
  ['two are seated', () => Response.json({ learners: 2, rooms: 1 })],
  ['the answer is strange', () => Response.json({ learners: '<b>many</b>' })],
  ['the answer is an error', () => new Response('{}', { status: 500 })],
  ['nothing answers', () => Promise.reject(new TypeError('offline'))],
])('says nothing when %s', async (_case, answer) => {
  expect(await liveLine(answer)).toBe('');
});
