import { render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { VideoPicture } from './video-picture.tsx';

it('keeps from React the many events that say how far a picture has come', () => {
  const onTime = vi.fn();
  const onPlaying = vi.fn();
  const picture = { attach: () => undefined, detach: () => undefined };
  const { container } = render(
    <div onTimeUpdateCapture={onTime} onPlayingCapture={onPlaying}>
      <VideoPicture picture={picture} />
    </div>,
  );
  for (const type of ['timeupdate', 'playing']) {
    container.querySelector('video')?.dispatchEvent(new Event(type));
  }
  expect(onPlaying).toHaveBeenCalledOnce();
  expect(onTime).not.toHaveBeenCalled();
});
