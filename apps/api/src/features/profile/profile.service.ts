import type { UserId } from '@mogakgong/contract';
import type { RoomsService } from '../rooms/index.ts';
import type { StandingSanctions } from '../sanctions/index.ts';
import { storedNickname, takenError } from '../users/index.ts';
import type { ProfileRepository } from './profile.repository.ts';

interface ProfileParts {
  readonly repository: ProfileRepository;
  readonly rooms: Pick<RoomsService, 'publishUpdate'>;
  readonly standing: Pick<StandingSanctions, 'refuseMuted'>;
}

/** Changes of the public profile. */
export function createProfileService({ repository, rooms, standing }: ProfileParts) {
  return {
    /**
     * Changes a nickname, for the learner and all others; their present one changes nothing.
     * @returns its stored form.
     * @throws ApiError `textMuted`, `nicknameMalformed` or `nicknameTaken`.
     */
    async changeNickname(userId: UserId, given: string): Promise<string> {
      standing.refuseMuted(userId, 'textMuted');
      const name = storedNickname(given);
      const change = await repository.changeNickname(userId, name).catch((cause: unknown) => {
        throw takenError(cause);
      });
      if (change) rooms.publishUpdate(change);
      return name.nickname;
    },
  };
}

export type ProfileService = ReturnType<typeof createProfileService>;
