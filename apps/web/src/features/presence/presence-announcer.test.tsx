import { type Member, UserId } from '@mogakgong/contract';
import { act, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PresenceAnnouncer } from './presence-announcer.tsx';

const SELF_ID = UserId.parse(1);
const member = (userId: number) => ({ userId, nickname: `이름 ${userId}` }) as Member;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('arrivals and departures are announced, the same one again too', () => {
  const { rerender } = render(<PresenceAnnouncer members={null} selfId={SELF_ID} />);
  const show = (...ids: number[]) => {
    rerender(<PresenceAnnouncer members={ids.map(member)} selfId={SELF_ID} />);
    act(() => vi.advanceTimersByTime(3_000));
  };
  const region = (text: string) =>
    within(screen.getByTestId('presence-announcement')).getByText(text, { selector: 'p' });
  show(SELF_ID, 2);
  show(SELF_ID);
  const left = region('이름 2님이 나갔어요.');
  show(SELF_ID, 2);
  expect(region('이름 2님이 들어왔어요.')).not.toBe(left);
  show(SELF_ID);
  expect(region('이름 2님이 나갔어요.')).toBeTruthy();
  // Unknown for a while, and known again: the next one may be the same sentence as the last.
  rerender(<PresenceAnnouncer members={null} selfId={SELF_ID} />);
  act(() => vi.advanceTimersByTime(3_000));
  show(SELF_ID, 2);
  const again = region('이름 2님이 나갔어요.');
  show(SELF_ID);
  expect(region('이름 2님이 나갔어요.')).not.toBe(again);
  expect(again.textContent).toBe('');
});

test('others who came and left are named together, without those who did both meanwhile', () => {
  const { rerender } = render(<PresenceAnnouncer members={[2, 3].map(member)} selfId={SELF_ID} />);
  const show = (...members: Member[]) =>
    rerender(<PresenceAnnouncer members={members} selfId={SELF_ID} />);
  show(...[2, 3, 4].map(member));
  show({ ...member(2), nickname: 'renamed' }, member(SELF_ID), member(5));
  act(() => vi.advanceTimersByTime(3_000));
  const said = screen.getByTestId('presence-announcement').textContent;
  expect(said).toBe('이름 5님이 들어왔어요. 이름 3님이 나갔어요.');
});

test('nothing is said of a blocked person, who has no name', () => {
  const blocked = { ...member(3), nickname: '' };
  const { rerender } = render(
    <PresenceAnnouncer members={[member(2), blocked]} selfId={SELF_ID} />,
  );
  const show = (...members: Member[]) => {
    rerender(<PresenceAnnouncer members={members} selfId={SELF_ID} />);
    act(() => vi.advanceTimersByTime(3_000));
  };
  const region = screen.getByTestId('presence-announcement');
  show(member(2));
  expect(region.textContent).toBe('');
  show(member(2), blocked);
  expect(region.textContent).toBe('');
  show();
  expect(region.textContent).toBe('이름 2님이 나갔어요.');
});
