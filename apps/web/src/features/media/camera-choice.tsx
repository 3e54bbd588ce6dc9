import { useState } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { SelectField } from '../../shared/ui/inputs.tsx';
import { camera, useCamera } from './camera.ts';
import { useCameraDevices } from './camera-devices.ts';

/** Chooses the camera; nothing where there is only one. */
export function CameraChoice() {
  const { t } = useTranslation();
  const state = useCamera();
  const devices = useCameraDevices(state.kind);
  const [chosenId, setChosenId] = useState('');
  const isUnplugged = state.kind === 'failed' && state.problem === 'unplugged';
  const shownId = state.kind === 'on' ? state.deviceId : chosenId;
  const isKnown = devices.some(({ deviceId }) => deviceId !== '' && deviceId === shownId);
  // Without names there is no permission. An unplugged camera may be replaced by the only other one.
  if (devices.length < (isUnplugged ? 1 : 2) || devices.some(({ label }) => label === ''))
    return null;
  return (
    <SelectField
      label={t('camera.device')}
      value={isKnown ? shownId : ''}
      onChange={(event) => {
        const device = devices.find(({ deviceId }) => deviceId === event.target.value);
        if (!device) return;
        setChosenId(device.deviceId);
        camera.choose(device);
      }}
    >
      {!isKnown && <option value="">{t('camera.choose')}</option>}
      {devices.map(({ deviceId, label }) => (
        <option key={deviceId} value={deviceId}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}
