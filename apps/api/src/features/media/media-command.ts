import { RoomServiceClient } from 'livekit-server-sdk';
import { type MediaServer, type MediaServers, serverUrlOf } from './media-servers.ts';

/** How long a room with learners stays on a server that is drained, in minutes, unless the operator says otherwise. */
const DRAIN_MINUTES = 10;

const ASK_SECONDS = 5;

/** The lines of `npm run admin` about media servers. */
export const MEDIA_USAGE = `  media list                     the media servers, with the learners in their rooms
  media add ADDRESS KEY          adds a LiveKit; its secret is read from standard input
  media drain ADDRESS [MINUTES]  gives it no new rooms, and moves those with learners after ${DRAIN_MINUTES} minutes
  media open ADDRESS             gives it rooms again
  media remove ADDRESS           forgets it`;

const stateOf = ({ isUp, isOpen }: MediaServer) => {
  if (isOpen) return 'open';
  return isUp ? 'draining' : 'down';
};

/** Whether a LiveKit takes a key. */
async function askFor(
  url: string,
  apiKey: string,
  apiSecret: string,
): Promise<'accepted' | 'refused' | 'nothing'> {
  try {
    const client = new RoomServiceClient(url, apiKey, apiSecret, { requestTimeout: ASK_SECONDS });
    await client.listRooms();
    return 'accepted';
  } catch (error) {
    return (error as { status?: number }).status === 401 ? 'refused' : 'nothing';
  }
}

/**
 * Runs a command of the operator on the media servers.
 * @param words after `media`.
 * @param readSecret reads what the operator gives on standard input.
 * @returns the lines to print; null for an unknown command.
 */
export async function runMediaCommand(
  servers: MediaServers,
  words: readonly string[],
  readSecret: () => Promise<string>,
): Promise<readonly string[] | null> {
  const [command, address = '', first, ...rest] = words;
  if (command === 'list' && words.length === 1) {
    await servers.refresh();
    return servers.all.map((server) =>
      [stateOf(server).padEnd('draining'.length), server.load, server.url].join('  '),
    );
  }
  if (!/^(?:https?|wss?):/u.test(address) || !URL.canParse(address) || rest.length > 0) return null;
  const url = serverUrlOf(address);
  const answer = (isFound: boolean, line: string) => [
    isFound ? line : `There is no media server at ${url}.`,
  ];
  if (command === 'add' && first !== undefined) {
    const apiSecret = (await readSecret()).trim();
    if (apiSecret === '') return ['Standard input has no secret: nothing was added.'];
    const answered = await askFor(url, first, apiSecret);
    if (answered === 'refused') {
      return [`${url} does not know this key, or not with this secret: nothing was added.`];
    }
    await servers.store({ url, apiKey: first, apiSecret, isAdded: true });
    return [
      answered === 'nothing' ? `${url} takes rooms once it answers.` : `${url} takes rooms now.`,
    ];
  }
  if (command === 'drain') {
    const minutes = Number(first ?? DRAIN_MINUTES);
    if (!/^\d+$/u.test(first ?? '0') || minutes > 24 * 60) return null;
    return answer(await servers.drain(url, minutes), `${url} takes no new rooms.`);
  }
  if (command === 'open' && first === undefined) {
    return answer(await servers.open(url), `${url} takes rooms now.`);
  }
  if (command === 'remove' && first === undefined) {
    if (await servers.remove(url)) return [`${url} is forgotten.`];
    return [`There is no media server at ${url} without learners: drain it first.`];
  }
  return null;
}
