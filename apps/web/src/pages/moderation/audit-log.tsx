import {
  type AuditAction,
  type AuditEvent,
  auditActions,
  automaticRules,
  Decision,
  UserId,
} from '@mogakgong/contract';
import { useState } from 'react';
import { type ModerationText, moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { SelectField } from '../../shared/ui/inputs.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { useAuditEvents } from './moderation-queries.ts';

import { Person, useOwnMoments } from './parts.tsx';

/** A typed account number; undefined for none. */
function userIdOf(text: string): UserId | undefined {
  const { data } = UserId.safeParse(Number(text.replace('#', '').trim() || Number.NaN));
  return data;
}

/** The decisions about people and their authors, unchangeable. For admins. */
export function AuditLog() {
  const { t } = useTranslation(moderationTexts);
  const [action, setAction] = useState('');
  const [actor, setActor] = useState('');
  const [subject, setSubject] = useState('');
  const events = useAuditEvents({
    action: action === '' ? undefined : (action as AuditAction),
    actorId: userIdOf(actor),
    subjectId: userIdOf(subject),
  });
  return (
    <section aria-label={t('view.audit')} className="grid gap-4 p-4 sm:p-6">
      <div className="grid gap-4 md:grid-cols-[repeat(3,minmax(0,20rem))]">
        <SelectField
          label={t('audit.action')}
          inputSize="large"
          value={action}
          onChange={(event) => setAction(event.target.value)}
        >
          <option value="">{t('audit.all')}</option>
          {auditActions.map((name) => (
            <option key={name} value={name}>
              {t(`action.${name}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('audit.actor')}
          inputMode="numeric"
          placeholder="#12"
          value={actor}
          onChange={(event) => setActor(event.target.value)}
        />
        <TextField
          label={t('audit.subject')}
          inputMode="numeric"
          placeholder="#12"
          value={subject}
          onChange={(event) => setSubject(event.target.value)}
        />
      </div>
      <LoadState of={events}>
        {(found) =>
          found.length === 0 ? (
            <p role="status" className="py-10 text-center text-ink-soft">
              {t('audit.none')}
            </p>
          ) : (
            <EventTable events={found} />
          )
        }
      </LoadState>
      {events.more && (
        <p className="text-center">
          <Button size="small" loading={events.isLoading} onClick={events.more}>
            {t('list.more')}
          </Button>
        </p>
      )}
    </section>
  );
}

function EventTable({ events }: { readonly events: readonly AuditEvent[] }) {
  const { t } = useTranslation(moderationTexts);
  const moment = useOwnMoments();
  const columns = ['at', 'action', 'actor', 'subject', 'details'] as const;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable table must be reachable by keyboard
    <section tabIndex={0} aria-label={t('audit.table')} className="overflow-x-auto rounded-small">
      <table className="w-full text-left text-small">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="whitespace-nowrap border-line border-b px-2 py-2 text-caption text-ink-soft"
              >
                {t(`audit.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id} className="align-top">
              <td className="whitespace-nowrap border-line border-b px-2 py-2 tabular-nums">
                {moment(event.atMs)}
              </td>
              <td className="whitespace-nowrap border-line border-b px-2 py-2 font-semibold">
                {t(`action.${event.action}`)}
              </td>
              <td className="border-line border-b px-2 py-2">
                {event.actor ? <Person account={event.actor} /> : t('audit.product')}
              </td>
              <td className="border-line border-b px-2 py-2">
                {event.subject && <Person account={event.subject} />}
              </td>
              <td className="border-line border-b px-2 py-2 text-ink-soft">
                {detailsOf(event, t)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A value of an event as text, where there is a text for it. */
function valueText(name: string, value: string | number, t: ModerationText): string {
  const { data: decision } = Decision.safeParse(value);
  if (decision !== undefined) return t(`decision.${decision}`);
  if (value === 'upheld' || value === 'lifted') return t(`outcome.${value}`);
  if (value === 'moderator' || value === 'admin') return t(`role.${value}`);
  const rule = automaticRules.find((each) => each === value);
  if (rule !== undefined) return t(`rule.${rule}`);
  if (value === 'host') return t('audit.host');
  if (name === 'days') return t('decide.day', { count: Number(value) });
  if (name === 'hours') return t('audit.hours', { count: Number(value) });
  if (name === 'changedGroups') return t('audit.changedGroups', { count: Number(value) });
  if (name === 'takenOverFrom') return t('audit.takenOver', { number: value });
  return String(value);
}

/** An event's details beside its actor, action and target. */
function detailsOf({ caseId, sanctionId, details }: AuditEvent, t: ModerationText): string {
  return [
    caseId !== null && t('history.case', { number: caseId }),
    sanctionId !== null && t('audit.sanction', { number: sanctionId }),
    ...Object.entries(details).map(([name, value]) => valueText(name, value, t)),
  ]
    .filter(Boolean)
    .join(' · ');
}
