import { RoomId, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { Notices } from '../../shared/ui/notices.tsx';
import { useNotices } from '../../shared/ui/notify.ts';
import { HostOffer } from './host-offer.tsx';

const OFFER = '/api/study-rooms/7/host-offer';
const userId = UserId.parse(LEARNER.userId);

beforeEach(() => {
  logIn();
  useNotices.setState({ dialogs: [], toasts: [] });
});

async function show() {
  const api = startFakeApi({ [OFFER]: { isOffered: false, hostId: null } });
  await act(async () =>
    render(
      <>
        <HostOffer userId={userId} roomId={RoomId.parse(7)} />
        <Notices />
      </>,
    ),
  );
  await waitFor(() => expect(api.asked).toEqual([`GET ${OFFER}`]));
  return {
    ...api,
    /** What the notice of the server does. */
    offer: () =>
      act(async () => {
        api.answers[OFFER] = { isOffered: true, hostId: userId };
        await queryClient.invalidateQueries({ queryKey: [...learnerKey(userId), 'hostOffer'] });
      }),
  };
}

test.each([
  ['맡을게요', true],
  ['괜찮아요', false],
])('who has sat longest is asked to be the host: %s', async (name, isAccepted) => {
  const { sent, offer } = await show();
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await offer();
  expect(await screen.findByRole('alertdialog', { name: '방장을 맡아 줄래요?' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name }));
  await waitFor(() => expect(sent).toEqual([{ path: OFFER, body: { isAccepted } }]));
});
