import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail that the server received. */
export interface ReceivedMail {
  readonly recipients: readonly string[];
  readonly source: string;
}

/** A mail server on a free port of this machine; accepts mails to everybody except `nobody…`. */
export async function startMailServer(received: ReceivedMail[]): Promise<SMTPServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      callback(
        address.startsWith('nobody') ? new Error(`no such mailbox: <${address}>`) : undefined,
      );
    },
    onData(stream, { envelope }, callback) {
      void text(stream).then((source) => {
        received.push({ recipients: envelope.rcptTo.map(({ address }) => address), source });
        callback();
      });
    },
  });
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** The plain text of a received mail. */
export function textOfMail({ source }: ReceivedMail): string {
  const headEnd = source.indexOf('\r\n\r\n');
  const [head, body] = [source.slice(0, headEnd), source.slice(headEnd + 4)];
  if (/^Content-Transfer-Encoding: base64/imu.test(head)) {
    return Buffer.from(body, 'base64').toString();
  }
  const encoded = body.replace(/=\r\n/gu, '').replace(/=([\dA-F]{2})/gu, '%$1');
  return decodeURIComponent(encoded);
}
