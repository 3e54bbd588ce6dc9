import {
  HOSTED_ROOM,
  isRoomGoal,
  isRoomName,
  openHostedRoom,
  type RoomPlan,
  roomText,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { call, messageOf } from '../../shared/api/index.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { focusField, SelectField } from '../../shared/ui/inputs.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { hostingTexts } from './hosting-texts.ts';

const DEFAULT_CAPACITY = 8;
const CAPACITIES = Array.from(
  { length: HOSTED_ROOM.maxCapacity - HOSTED_ROOM.minCapacity + 1 },
  (_, index) => HOSTED_ROOM.minCapacity + index,
);

/** Opens a room; its host continues to the camera check. */
export function OpenRoomDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(hostingTexts);
  const id = useId();
  const [, navigate] = useLocation();
  const [isPublic, setIsPublic] = useState(true);
  const [broken, setBroken] = useState<'name' | 'goal' | null>(null);
  const { mutate, isPending, error } = useMutation(
    {
      mutationFn: (body: RoomPlan) =>
        call(openHostedRoom, { body }, { fallback: t('open.failed') }),
      onSuccess: ({ roomId }) => navigate(studyRoomPath(roomId)),
    },
    queryClient,
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const given = new FormData(event.currentTarget);
    const name = roomText(String(given.get('name') ?? ''));
    const goal = roomText(String(given.get('goal') ?? ''));
    const problem = isRoomName(name) ? (isRoomGoal(goal) ? null : 'goal') : 'name';
    setBroken(problem);
    if (problem !== null) return focusField(event.currentTarget, problem);
    const capacity = Number(given.get('capacity'));
    const rules = { needsApproval: given.has('approval'), needsCamera: given.has('camera') };
    mutate({ name, goal, capacity, isPublic, ...rules });
  };
  return (
    <Dialog
      title={t('open.title')}
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" form={id} variant="primary" loading={isPending}>
            {t('open.submit')}
          </Button>
        </>
      }
    >
      <form id={id} noValidate className="grid gap-4 text-ink" onSubmit={submit}>
        <TextField
          label={t('open.name')}
          name="name"
          placeholder={t('open.namePlaceholder')}
          maxLength={HOSTED_ROOM.nameMaxLength}
          autoComplete="off"
          error={broken === 'name' ? t('open.nameRule') : undefined}
        />
        <TextField
          label={t('open.goal')}
          name="goal"
          placeholder={t('open.goalPlaceholder')}
          maxLength={HOSTED_ROOM.goalMaxLength}
          autoComplete="off"
          error={broken === 'goal' ? t('open.goalRule') : undefined}
        />
        <SelectField label={t('open.capacity')} name="capacity" defaultValue={DEFAULT_CAPACITY}>
          {CAPACITIES.map((count) => (
            <option key={count} value={count}>
              {t('open.seats', { count })}
            </option>
          ))}
        </SelectField>
        <div className="grid gap-2">
          <Choice
            label={t('open.who')}
            value={isPublic ? 'public' : 'private'}
            onChange={(value) => setIsPublic(value === 'public')}
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
          <Checkbox name="approval" label={t('open.approval')} />
          <Checkbox name="camera" label={t('open.camera')} />
          <p className="text-caption text-ink-soft">{t('open.cameraHint')}</p>
        </div>
        <p className="text-caption text-ink-soft">{t('open.ends')}</p>
        {error && <FormError text={messageOf(error, t('open.failed'))} />}
      </form>
    </Dialog>
  );
}
