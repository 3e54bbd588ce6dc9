import { GROUPS, type Group, groupNotice, putGroupNotice, type UserId } from '@mogakgong/contract';
import Pencil from 'lucide-react/icons/pencil';
import Pin from 'lucide-react/icons/pin';
import { call } from '../../shared/api/index.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { dateFormat } from '../../shared/i18n/date-format.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { IconButton } from '../../shared/ui/button.tsx';
import { TextareaField } from '../../shared/ui/inputs.tsx';
import { reloadGroups } from './use-groups.ts';

interface GroupNoticeProps {
  readonly group: Group;
  readonly onEdit: () => void;
}

/** The pinned notice, which leaders change; nothing without one. */
export function GroupNotice({ group, onEdit }: GroupNoticeProps) {
  const { t, language } = useTranslation(groupsTexts);
  const { notice, noticeAtMs, own, timeZone } = group;
  if (notice === '') return null;
  const date = dateFormat(language, { month: 'long', day: 'numeric', timeZone });
  return (
    <section
      aria-label={t('notice.title')}
      className="grid gap-1.5 rounded-medium border border-line bg-surface p-4"
    >
      <header className="flex min-h-8 items-center gap-2 text-caption text-lamp-ink">
        <Pin size={14} aria-hidden="true" />
        <p className="flex-1">
          {t('notice.title')}
          {noticeAtMs !== null && ` · ${date.format(noticeAtMs)}`}
        </p>
        {own.isLeader && (
          <IconButton size="small" icon={Pencil} label={t('notice.edit')} onClick={onEdit} />
        )}
      </header>
      <p className="max-h-48 overflow-y-auto whitespace-pre-line text-small">{notice}</p>
    </section>
  );
}

interface NoticeFormProps {
  readonly userId: UserId;
  readonly group: Group;
  readonly onClose: () => void;
}

/** Where leaders write the notice. */
export function NoticeForm({ userId, group, onClose }: NoticeFormProps) {
  const { t } = useTranslation(groupsTexts);
  const max = GROUPS.noticeMaxLength;
  const form = useForm({
    initial: { text: group.notice },
    check: ({ text }) => ({
      text: groupNotice(text) === null ? t('notice.tooLong', { max }) : undefined,
    }),
    send: async ({ text }) => {
      const params = { groupId: group.groupId };
      await call(putGroupNotice, { params, body: { text } }, { fallback: t('groups.failed') });
      await reloadGroups(userId);
      onClose();
    },
  });
  return (
    <FormDialog title={t('notice.write')} submit={t('notice.pin')} form={form} onClose={onClose}>
      <TextareaField
        {...form.field('text')}
        label={t('notice.text')}
        hint={t('notice.hint', { count: [...form.values.text].length, max })}
        rows={6}
        className="py-2"
      />
    </FormDialog>
  );
}
