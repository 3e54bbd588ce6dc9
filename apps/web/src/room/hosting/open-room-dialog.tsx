import {
  HOSTED_ROOM,
  isRoomGoal,
  isRoomName,
  openHostedRoom,
  roomText,
  StudyCategory,
} from '@mogakgong/contract';
import { useLocation } from 'wouter';
import { call } from '../../shared/api/index.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { categoryTexts, roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { SelectField } from '../../shared/ui/inputs.tsx';
import { CategoryField } from '../../shared/ui/study-search.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

const DEFAULT_CAPACITY = 8;
const CAPACITIES = Array.from(
  { length: HOSTED_ROOM.maxCapacity - HOSTED_ROOM.minCapacity + 1 },
  (_, index) => HOSTED_ROOM.minCapacity + index,
);

/** Opens a room; its host continues to the camera check. */
export function OpenRoomDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(categoryTexts);
  const title = useTranslation(roomTexts).t('open.title');
  const form = useRoomForm();
  return (
    <FormDialog title={title} submit={t('open.submit')} form={form} onClose={onClose}>
      <TextField
        {...form.field('name')}
        label={t('open.name')}
        placeholder={t('open.namePlaceholder')}
        maxLength={HOSTED_ROOM.nameMaxLength}
        autoComplete="off"
      />
      <TextField
        {...form.field('goal')}
        label={t('open.goal')}
        placeholder={t('open.goalPlaceholder')}
        maxLength={HOSTED_ROOM.goalMaxLength}
        autoComplete="off"
      />
      <CategoryField {...form.field('category')} />
      <SelectField {...form.field('capacity')} label={t('open.capacity')}>
        {CAPACITIES.map((count) => (
          <option key={count} value={count}>
            {t('open.seats', { count })}
          </option>
        ))}
      </SelectField>
      <RuleFields form={form} />
      <p className="text-caption text-ink-soft">{t('open.ends')}</p>
    </FormDialog>
  );
}

/** The rules of the room: open or by invitation, and the demands on its guests. */
function RuleFields({ form }: { readonly form: ReturnType<typeof useRoomForm> }) {
  const { t } = useTranslation(categoryTexts);
  const { isPublic } = form.values;
  return (
    <>
      <div className="grid gap-2">
        <Choice
          label={t('open.who')}
          value={isPublic ? 'public' : 'private'}
          onChange={(value) => form.change({ isPublic: value === 'public' })}
          options={[
            { value: 'public', label: t('open.public') },
            { value: 'private', label: t('open.private') },
          ]}
        />
        <p className="text-caption text-ink-soft" aria-live="polite">
          {t(isPublic ? 'open.publicHint' : 'open.privateHint')}
        </p>
      </div>
      <div className="grid gap-2">
        <Checkbox {...form.box('needsApproval')} label={t('open.approval')} />
        <Checkbox {...form.box('needsCamera')} label={t('open.camera')} />
        <p className="text-caption text-ink-soft">{t('open.cameraHint')}</p>
      </div>
    </>
  );
}

/** The form of a room's plan; leads into the room. */
function useRoomForm() {
  const { t } = useTranslation(categoryTexts);
  const [, navigate] = useLocation();
  return useForm({
    initial: {
      ...{ name: '', goal: '', category: '', capacity: String(DEFAULT_CAPACITY) },
      ...{ isPublic: true, needsApproval: false, needsCamera: false },
    },
    check: ({ name, goal, category }) => ({
      name: isRoomName(roomText(name)) ? undefined : t('open.nameRule'),
      goal: isRoomGoal(roomText(goal)) ? undefined : t('open.goalRule'),
      category: category === '' ? t('search.choose') : undefined,
    }),
    send: async ({ name, goal, capacity, category, ...rules }) => {
      const plan = {
        name: roomText(name),
        goal: roomText(goal),
        capacity: Number(capacity),
        category: StudyCategory.parse(category),
      };
      const body = { ...plan, ...rules };
      const { roomId } = await call(openHostedRoom, { body }, { fallback: t('open.failed') });
      navigate(studyRoomPath(roomId));
    },
  });
}
