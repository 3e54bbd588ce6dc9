import { createMediaToken } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { UsersService } from '../users/index.ts';
import type { MediaService } from './media.service.ts';

export function serveMedia(http: HttpServer, media: MediaService, users: UsersService): void {
  http.serve(createMediaToken, async ({ caller, body }) => {
    const { nickname } = await users.getProfile(caller.userId);
    return media.createToken({
      roomName: body.roomName,
      userId: caller.userId,
      displayName: nickname,
    });
  });
}
