import {
  choosePush,
  getPushSettings,
  type PushKind,
  type PushSettings,
  pushKinds,
  type UserId,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { ApiError, call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { pushTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { askPermission, pushObstacle, turnOffHere, turnOnHere } from './push-device.ts';
import { QuietFields } from './quiet-fields.tsx';

const keyOf = (userId: UserId) => [...learnerKey(userId), 'push'];

/** Notifications while the page is closed: which, when, and whether to this device. */
export function PushSection({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(pushTexts);
  const loaded = useLoaded(keyOf(userId), (signal) =>
    call(getPushSettings, {}, { signal, fallback: t('push.loadFailed') }),
  );
  return (
    <Panel title={t('push.title')} lead={t('push.lead')}>
      <LoadState of={loaded}>
        {(settings) => <PushFields userId={userId} settings={settings} />}
      </LoadState>
    </Panel>
  );
}

interface PushFieldsProps {
  readonly userId: UserId;
  readonly settings: PushSettings;
}

/** Changes one at a time; null where the browser refused. */
function useChange(userId: UserId) {
  const { t } = useTranslation(pushTexts);
  return useMutation({
    mutationFn: (change: () => Promise<PushSettings | null>) => change(),
    onSuccess: (settings) => settings && queryClient.setQueryData(keyOf(userId), settings),
    onError: (error) =>
      notifyFailure(error, t(error instanceof ApiError ? 'push.failed' : 'push.refused')),
  });
}

function PushFields({ userId, settings }: PushFieldsProps) {
  const { t } = useTranslation(pushTexts);
  const { mutate, isPending } = useChange(userId);
  const { kinds, quiet, isOnHere } = settings;
  const obstacle = pushObstacle();
  const choose = (change: Partial<PushSettings>) =>
    call(choosePush, { body: { kinds, quiet, ...change } });
  /** The first one chosen also turns this device on: the press is for that. */
  const toggle = (kind: PushKind, isOn: boolean) => {
    const permission = isOn && kinds.length === 0 && obstacle === null ? askPermission() : false;
    mutate(async () => {
      const isAllowed = await permission;
      const chosen = await choose({
        kinds: isOn ? [...kinds, kind] : kinds.filter((each) => each !== kind),
      });
      if (!isAllowed) return chosen;
      queryClient.setQueryData(keyOf(userId), chosen);
      return turnOnHere(chosen);
    });
  };
  const turnOn = () => {
    const permission = askPermission();
    mutate(async () => ((await permission) ? turnOnHere(settings) : null));
  };
  const stopAll = () =>
    mutate(async () => {
      const stopped = await choose({ kinds: [] });
      notify.toast(t('push.stopped'), 'good');
      return stopped;
    });
  return (
    <fieldset disabled={isPending} className="grid min-w-0 gap-5">
      <div className="grid gap-2">
        {pushKinds.map((kind) => (
          <Checkbox
            key={kind}
            label={t(`push.kind.${kind}`)}
            checked={kinds.includes(kind)}
            onChange={(event) => toggle(kind, event.target.checked)}
          />
        ))}
      </div>
      {kinds.length > 0 && (
        <>
          <QuietFields
            quiet={quiet}
            onChange={(changed) => mutate(() => choose({ quiet: changed }))}
          />
          {obstacle === null && (
            <ThisDevice
              isOn={isOnHere}
              onChange={(isOn) => (isOn ? turnOn() : mutate(turnOffHere))}
            />
          )}
        </>
      )}
      {obstacle !== null && <p className="text-ink-soft text-small">{t(`push.${obstacle}`)}</p>}
      {kinds.length > 0 && (
        <div>
          <Button onClick={stopAll}>{t('push.stopAll')}</Button>
        </div>
      )}
    </fieldset>
  );
}

interface ThisDeviceProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function ThisDevice({ isOn, onChange }: ThisDeviceProps) {
  const { t } = useTranslation(pushTexts);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-medium bg-raised px-4 py-3">
      <p role="status" className="text-small">
        {t(isOn ? 'push.onHere' : 'push.offHere')}
      </p>
      <Button size="small" variant={isOn ? 'quiet' : 'primary'} onClick={() => onChange(!isOn)}>
        {t(isOn ? 'push.turnOffHere' : 'push.turnOnHere')}
      </Button>
    </div>
  );
}
