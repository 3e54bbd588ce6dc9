import { sql } from 'kysely';
import type { Realtime } from './app-realtime.ts';
import {
  type Access,
  askForProof,
  createAuth,
  createMailedLinks,
  createSecurityMails,
  outdateOthers,
} from './features/auth/index.ts';
import { createPasskeys, removePasskeysBeforeProof } from './features/passkeys/index.ts';
import type { PushService } from './features/push/index.ts';
import type { RoomsService } from './features/rooms/index.ts';
import type { AppContext } from './features/sanctions/index.ts';
import { createSecondFactor } from './features/second-factor/index.ts';
import { createSocialLogin, unlinkBeforeProof } from './features/social-login/index.ts';
import type { UsersService } from './features/users/index.ts';
import { createGuessThrottle } from './platform/http/index.ts';

const ENDED_LOGINS_CHANNEL = 'ended-logins';
/** Repeats the work of the backplane: a log-out closes connections within five seconds in any case. */
const LEARN_ENDED_LOGINS_EVERY_MS = 3_000;

/** Every way to log in; `close` waits for mails that are being sent. */
export function createLogIns(context: AppContext, access: Access, users: UsersService) {
  const throttle = createGuessThrottle(context.limits);
  const links = createMailedLinks(context);
  const mails = createSecurityMails(context, users, links);
  const own = { ...access, users, throttle, links, mails, onChanged: mails.send };
  const secondFactor = createSecondFactor(context, {
    ...own,
    outdateOthers,
    askForProof: (caller, language) => askForProof({ ...context, ...own }, caller, language),
  });
  const checkPasskey = createPasskeys(context, own);
  const beforeProof = sql`${unlinkBeforeProof}, ${removePasskeysBeforeProof}`;
  const auth = createAuth(context, { ...own, secondFactor, checkPasskey, beforeProof });
  const socialProviders = createSocialLogin(context, { ...own, ...auth, secondFactor });
  return { close: links.close, socialProviders };
}

interface EndedLogInUses {
  readonly access: Access;
  readonly rooms: RoomsService;
  readonly realtime: Realtime;
  readonly push: PushService;
}

/** When a log-in ends, closes its connections in every process and gives up its seat. */
export function endLogins(
  { backplane, jobs, logger }: AppContext,
  { access: { sessionEnds }, rooms, realtime, push }: EndedLogInUses,
): void {
  jobs.add({
    name: 'ended log-ins',
    everyMs: LEARN_ENDED_LOGINS_EVERY_MS,
    runs: 'process',
    run: async () => {
      const ended = await sessionEnds.learn();
      for (const sessionId of ended) realtime.hub.endLogin(sessionId);
      await rooms.leaveHeldBy(ended);
    },
  });
  sessionEnds.onEnded(async (sessionIds) => {
    for (const sessionId of sessionIds) backplane.publish(ENDED_LOGINS_CHANNEL, sessionId);
    // The sweep gives up seats that could not be given up here.
    await rooms
      .leaveHeldBy(sessionIds)
      .catch((error: unknown) => logger.warn({ err: error }, 'an ended log-in keeps its seat'));
    // It is told nothing in any case; the row goes with the log-in at the latest.
    await push
      .forget(sessionIds)
      .catch((error: unknown) => logger.warn({ err: error }, 'an ended log-in keeps its device'));
  });
  backplane.subscribe(ENDED_LOGINS_CHANNEL, (sessionId: string) => {
    sessionEnds.add(sessionId);
    realtime.hub.endLogin(sessionId);
  });
}
