import { changeNickname } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { ProfileService } from './profile.service.ts';

export function serveProfile(http: HttpServer, profile: ProfileService): void {
  http.serve(changeNickname, async ({ caller, body }) => ({
    nickname: await profile.changeNickname(caller.userId, body.newNickname),
  }));
}
