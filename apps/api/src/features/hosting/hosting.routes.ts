import {
  answerGuest,
  askAdmission,
  cancelAdmission,
  closeHostedRoom,
  getAdmission,
  getHostView,
  handOverRoom,
  listHostedRooms,
  openHostedRoom,
  readInvitation,
  removeGuest,
  removeHiddenGuests,
  renewInvitation,
  reportPicture,
} from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { AdmissionsService } from './admissions.service.ts';
import type { CameraRule } from './camera-rule.ts';
import type { HostingService } from './hosting.service.ts';

export function serveHosting(
  http: HttpServer,
  hosting: HostingService,
  admissions: AdmissionsService,
  cameraRule: CameraRule,
): void {
  http.serve(openHostedRoom, async ({ caller, body }) => ({
    roomId: await hosting.open(caller.userId, body),
  }));
  http.serve(listHostedRooms, async ({ caller, query }) => hosting.list(caller.userId, query.page));
  http.serve(closeHostedRoom, async ({ caller, params }) => {
    await hosting.close(caller.userId, params.roomId);
    return params;
  });
  http.serve(handOverRoom, async ({ caller, params, body }) => {
    await hosting.handOver(caller.userId, params.roomId, body.newHostId);
    return { hostId: body.newHostId };
  });

  http.serve(readInvitation, async ({ caller, body }) =>
    admissions.read(caller.userId, body.invitation),
  );
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

  http.serve(reportPicture, async ({ caller, params, body }) => {
    await cameraRule.reportPicture(caller.userId, params.roomId, body.isBlack);
    return body;
  });
}
