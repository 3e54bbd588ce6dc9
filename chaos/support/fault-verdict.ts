import { RoomServiceClient } from 'livekit-server-sdk';
import type { MediaServer } from '../../apps/stack/src/media-server/index.ts';
import { type Actor, BoardActor, ChatActor, EnterActor, MediaActor, TimerActor } from './actors.ts';
import { judgeBoards, readBoards } from './board-verdict.ts';
import { hasHole } from './learner-calls.ts';
import type { SiteDatabase } from './site.ts';
import { judge as judgeChat, type StoredText } from './verdict.ts';

/** What must be 0 after a fault. */
export interface Damage {
  /** Acknowledged and not there, or not as it was acknowledged, or not at everybody. */
  lost: number;
  doubled: number;
  /** Of another room. */
  foreign: number;
}

/** How to reach a media server, and its key. */
export type MediaAccess = Pick<MediaServer, 'url' | 'apiKey' | 'apiSecret'>;

/** A site on which learners act, and are judged by its data. */
export interface JudgedSite {
  /** Where learners come in, on loopback. */
  readonly proxy: { readonly port: number };
  /** AUTH_SECRET. */
  readonly secret: string;
  /** Past every fault of the network. */
  readonly database: SiteDatabase;
  readonly media: readonly MediaAccess[];
}

/** Compares what was acknowledged and received with the database and the media server. */
export async function findDamage(site: JudgedSite, actors: readonly Actor[]): Promise<Damage> {
  const of = <Kind extends Actor>(kind: abstract new (...args: never[]) => Kind) =>
    actors.filter((actor): actor is Kind => actor instanceof kind);
  const parts = await Promise.all([
    judgeTalk(site, of(ChatActor)),
    judgeDrawings(site, of(BoardActor)),
    ...of(TimerActor).map((actor) => judgeTimer(site, actor)),
    ...of(EnterActor).map((actor) => judgeSeat(site, actor)),
    ...of(MediaActor).map((actor) => judgeMedia(site, actor)),
  ]);
  const sum = (name: keyof Damage) => parts.reduce((all, part) => all + part[name], 0);
  return { lost: sum('lost'), doubled: sum('doubled'), foreign: sum('foreign') };
}

const roomsOf = (actors: readonly Actor[]) => [
  ...new Set(actors.map(({ learner }) => learner.roomId)),
];

async function judgeTalk({ database }: JudgedSite, actors: readonly ChatActor[]): Promise<Damage> {
  const stored = await database.query<StoredText>(
    `select room_id::integer as "roomId", number::integer, content from chat_message
     where room_id = any($1)`,
    [roomsOf(actors)],
  );
  const { lost, duplicated, outOfOrder, misnamed, foreign } = judgeChat(actors, stored);
  return { lost: lost + outOfOrder + misnamed, doubled: duplicated, foreign };
}

async function judgeDrawings(
  { database }: JudgedSite,
  actors: readonly BoardActor[],
): Promise<Damage> {
  const { lost, different } = judgeBoards(actors, await readBoards(database, roomsOf(actors)));
  const foreign = actors.flatMap(({ elements, learner }) => {
    const neighbours = actors.filter((other) => other.learner.roomId === learner.roomId);
    const names = neighbours.map((other) => `${other.learner.userId}-`);
    return [...elements.shown.keys()].filter((id) => !names.some((name) => id.startsWith(name)));
  }).length;
  return { lost: lost + different, doubled: 0, foreign };
}

interface StoredTimer {
  readonly status: string;
  readonly sinceMs: number;
  readonly intervals: number;
}

async function judgeTimer({ database }: JudgedSite, actor: TimerActor): Promise<Damage> {
  const [stored] = await database.query<StoredTimer>(
    `select status, (extract(epoch from since) * 1000)::float8 as "sinceMs",
            (select count(*)::integer from focus_interval where visit_id = visit.id) as intervals
     from visit join seat using (user_id) where user_id = $1 and ended_at is null`,
    [actor.learner.userId],
  );
  const { clock, presses, tabs } = actor;
  const isAsAnswered =
    stored?.status === clock?.status && Math.floor(stored?.sinceMs ?? 0) === clock?.sinceMs;
  const hole = (await hasHole(database, actor.learner.userId)) ? 1 : 0;
  const stale = tabs.filter((tab) => clock && !tab.shows(clock)).length;
  return {
    lost: (isAsAnswered ? 0 : 1) + hole + stale,
    // Each press ends one interval.
    doubled: Math.max(0, (stored?.intervals ?? 0) - presses),
    foreign: 0,
  };
}

async function judgeSeat({ database }: JudgedSite, actor: EnterActor): Promise<Damage> {
  const { userId, roomId } = actor.learner;
  const [found] = await database.query<Record<'seats' | 'visits' | 'elsewhere' | 'excess', number>>(
    `select (select count(*)::integer from seat where user_id = $1 and room_id = $2) as seats,
            (select count(*)::integer from seat where user_id = $1 and room_id <> $2) as elsewhere,
            (select count(*)::integer from visit where user_id = $1 and ended_at is null) as visits,
            (select occupancy - (select count(*)::integer from seat where room_id = $2)
             from study_room where id = $2) as excess`,
    [userId, roomId],
  );
  const wanted = actor.isSeated ? 1 : 0;
  const { seats = -1, visits = -1, elsewhere = 0, excess = 0 } = found ?? {};
  return {
    lost: seats < wanted || visits < wanted ? 1 : 0,
    doubled: Math.max(0, seats - wanted) + Math.max(0, visits - wanted) + Math.abs(excess),
    foreign: elsewhere,
  };
}

async function judgeMedia({ media }: JudgedSite, actor: MediaActor): Promise<Damage> {
  const { userId, roomId } = actor.learner;
  const listed = media.map(({ url, apiKey, apiSecret }) =>
    // A server without the room refuses.
    new RoomServiceClient(url, apiKey, apiSecret).listParticipants(String(roomId)).catch(() => []),
  );
  const present = (await Promise.all(listed)).flat();
  const own = present.filter(({ identity }) => identity.startsWith(`${userId}-`)).length;
  return {
    lost: actor.isConnected && own === 0 ? 1 : 0,
    doubled: Math.max(0, own - 1),
    foreign: actor.joined.filter((name) => name !== String(roomId)).length,
  };
}
