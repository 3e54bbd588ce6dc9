import {
  answerGuest,
  answerHostOffer,
  askAdmission,
  cancelAdmission,
  closeHostedRoom,
  getAdmission,
  getHostOffer,
  getHostView,
  HOUR_MS,
  handOverRoom,
  listHostedRooms,
  openHostedRoom,
  previewInvitation,
  readInvitation,
  removeGuest,
  removeHiddenGuests,
  renewInvitation,
  reportPicture,
} from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { type AdmissionsService, createAdmissionsService } from './admissions.service.ts';
import { createCameraRuleRepository } from './camera-rule.repository.ts';
import { CameraRule, type CameraRuleUses } from './camera-rule.ts';
import { createGroupRoomsRepository } from './group-rooms.repository.ts';
import { createHostOffers } from './host-offers.ts';
import { createHostingRepository } from './hosting.repository.ts';
import { HostingService, type HostingUses } from './hosting.service.ts';
import { createRoomEndsRepository } from './room-ends.repository.ts';

const SWEEP_EVERY_MS = 10_000;
/** Maximum delay until focus resumes after the camera is back. */
const CHECK_CAMERAS_EVERY_MS = 5_000;
/** Maximum delay until a leader is the host, after entering the room of the group. */
const SETTLE_HOSTS_EVERY_MS = 3_000;

/** Rooms that learners open, and admission to them. */
export function createHosting(
  context: AppContext,
  uses: HostingUses & CameraRuleUses,
): HostingService {
  const { database, http, jobs, checkedClock: clock } = context;
  const parts = { ...context, ...uses, clock };
  const repository = createHostingRepository(database);
  const ends = createRoomEndsRepository(database);
  const groupRooms = createGroupRoomsRepository(database);
  const hosting = new HostingService({ ...parts, repository, ends, groupRooms });
  const offers = createHostOffers(context, uses, hosting);
  const admissions = createAdmissionsService(context, uses, hosting);
  const cameraRule = new CameraRule({
    ...parts,
    repository: createCameraRuleRepository(database),
  });
  serveRooms(http, hosting);
  serveAdmissions(http, hosting, admissions);
  http.serve(reportPicture, async ({ caller, params, body }) => {
    await cameraRule.reportPicture(caller.userId, params.roomId, body.isBlack);
    return body;
  });
  http.serve(getHostOffer, async ({ caller, params }) => ({
    isOffered: await offers.isOffered(caller.userId, params.roomId),
  }));
  http.serve(answerHostOffer, async ({ caller, params, body }) => ({
    hostId: await offers.answer(caller.userId, params.roomId, body.isAccepted),
  }));

  const sweep = async () => {
    await Promise.all([hosting.sweep(), admissions.endOld()]);
    await offers.sweep();
  };
  const settleHosts = () => hosting.settleGroupHosts();
  const checkCameras = () => cameraRule.check();
  const deleteOld = () => hosting.deleteOld();
  jobs.add(
    { name: 'hosted rooms', everyMs: SWEEP_EVERY_MS, runs: 'site', run: sweep },
    { name: 'group hosts', everyMs: SETTLE_HOSTS_EVERY_MS, runs: 'site', run: settleHosts },
    { name: 'camera rule', everyMs: CHECK_CAMERAS_EVERY_MS, runs: 'site', run: checkCameras },
    { name: 'ended hosted rooms', everyMs: HOUR_MS, runs: 'site', run: deleteOld },
  );
  return hosting;
}

function serveRooms(http: HttpServer, hosting: HostingService): void {
  http.serve(openHostedRoom, async ({ caller, body }) => ({
    roomId: await hosting.open(caller.userId, body),
  }));
  http.serve(listHostedRooms, async ({ caller, query }) => hosting.list(caller.userId, query));
  http.serve(closeHostedRoom, async ({ caller, params }) => {
    await hosting.close(caller.userId, params.roomId);
    return params;
  });
  http.serve(handOverRoom, async ({ caller, params, body }) => {
    await hosting.handOver(caller.userId, params.roomId, body.newHostId);
    return { hostId: body.newHostId };
  });
}

function serveAdmissions(
  http: HttpServer,
  hosting: HostingService,
  admissions: AdmissionsService,
): void {
  http.serve(readInvitation, async ({ caller, body }) =>
    admissions.read(caller.userId, body.invitation),
  );
  http.serve(previewInvitation, async ({ body }) => hosting.invitedTo(body.invitation));
  http.serve(askAdmission, async ({ caller, params, body }) => ({
    status: await admissions.ask(caller, params.roomId, body.invitation),
  }));
  http.serve(getAdmission, async ({ caller, params }) => admissions.find(caller, params.roomId));
  http.serve(cancelAdmission, async ({ caller, params }) => {
    await admissions.cancel(caller.userId, params.roomId);
    return { status: 'none' as const };
  });

  http.serve(getHostView, async ({ caller, params }) =>
    admissions.viewOf(caller.userId, params.roomId),
  );
  http.serve(renewInvitation, async ({ caller: { userId }, params: { roomId } }) => {
    await hosting.renewInvitation(userId, roomId);
    return admissions.viewOf(userId, roomId);
  });
  http.serve(answerGuest, async ({ caller: { userId }, params: { roomId, guestId }, body }) => {
    await admissions.answer(userId, roomId, guestId, body.isAdmitted);
    return admissions.viewOf(userId, roomId);
  });
  http.serve(removeGuest, async ({ caller: { userId }, params: { roomId, guestId } }) => {
    await hosting.remove(userId, roomId, guestId);
    return admissions.viewOf(userId, roomId);
  });

  http.serve(removeHiddenGuests, async ({ caller: { userId }, params: { roomId } }) => {
    await admissions.removeHidden(userId, roomId);
    return admissions.viewOf(userId, roomId);
  });
}
