import { askSupport, type SupportQuestion, supportProblem } from '@mogakgong/contract';
import type { Env } from '../platform/env/index.ts';
import { ApiError } from '../platform/http/index.ts';
import type { AppContext } from './sanctions/index.ts';

/** Questions to the operator, answered by mail. */
export function createSupport(context: AppContext): void {
  context.http.serve(askSupport, ({ body }) => ask(context, body));
}

/**
 * Mails a question; nothing of it is stored here.
 * @returns whether it is mailed; otherwise it waits in the outbox.
 * @throws ApiError as `supportProblem` says, `supportUnavailable` if the mail server refuses it.
 */
async function ask(
  { env, mailer, logger }: AppContext,
  question: SupportQuestion,
): Promise<{ isMailed: boolean }> {
  const problem = supportProblem(question);
  if (problem) throw new ApiError(problem);
  const { message, diagnostics } = question;
  const email = question.email.trim();
  const parts = [message.trim(), `답장: ${email}`, diagnostics?.trim()];
  try {
    await mailer.send({
      to: operatorAddress(env),
      replyTo: email,
      subject: '[모각공] 고객센터 문의',
      text: `${parts.filter(Boolean).join('\n\n--\n')}\n`,
    });
  } catch (error) {
    logger.error({ err: error }, 'a question to the operator was not sent');
    throw new ApiError('supportUnavailable');
  }
  return { isMailed: mailer.isSending };
}

/** The operator's address for questions; without any, a name for mails in the outbox. */
function operatorAddress({ SUPPORT_MAIL, MAIL_FROM }: Env): string {
  return (
    SUPPORT_MAIL ??
    /<(?<address>[^<>]+)>\s*$/u.exec(MAIL_FROM ?? '')?.groups?.address ??
    MAIL_FROM ??
    'operator'
  );
}
