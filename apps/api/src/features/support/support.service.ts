import { type SupportQuestion, supportProblem } from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { Mailer } from '../../platform/mail/index.ts';

export interface SupportParts {
  readonly mailer: Mailer;
  /** The operator's address for questions. */
  readonly operator: string;
  readonly logger: Logger;
}

/** Questions to the operator, answered by mail. */
export function createSupportService({ mailer, operator, logger }: SupportParts) {
  return {
    /**
     * Mails a question; nothing of it is stored here.
     * @returns whether it is mailed; otherwise it waits in the outbox.
     * @throws ApiError as `supportProblem` says, `supportUnavailable` if the mail server refuses it.
     */
    async ask(question: SupportQuestion): Promise<{ isMailed: boolean }> {
      const problem = supportProblem(question);
      if (problem) throw new ApiError(problem);
      const { message, diagnostics } = question;
      const email = question.email.trim();
      const parts = [message.trim(), `답장: ${email}`, diagnostics?.trim()];
      try {
        await mailer.send({
          to: operator,
          replyTo: email,
          subject: '[모각공] 고객센터 문의',
          text: `${parts.filter(Boolean).join('\n\n--\n')}\n`,
        });
      } catch (error) {
        logger.error({ err: error }, 'a question to the operator was not sent');
        throw new ApiError('supportUnavailable');
      }
      return { isMailed: mailer.isSending };
    },
  };
}

export type SupportService = ReturnType<typeof createSupportService>;
