import type { RoomId } from '@mogakgong/contract';
import { type FormEvent, useId, useState } from 'react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { enterStudyRoom, leaveStudyRoom, roomIdFrom } from '../../features/rooms/index.ts';
import { ApiError } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { useDeveloperTexts } from './developer-texts.ts';
import { MockChat } from './mock-chat.tsx';
import { RealChat } from './real-chat.tsx';

type Mode = 'mock' | 'real';

interface Running {
  readonly mode: Mode;
  readonly roomId: RoomId;
}

/** A chat for a room number: with a server in memory, or with the real one after taking a seat. */
export function ChatTest() {
  const texts = useDeveloperTexts();
  const { t } = useTranslation();
  const userId = useOwnUserId();
  const [mode, setMode] = useState<Mode>('mock');
  const [room, setRoom] = useState('1');
  const [running, setRunning] = useState<Running | null>(null);
  const [problem, setProblem] = useState<string>();

  const start = async () => {
    const roomId = roomIdFrom(room);
    if (roomId === null) return setProblem(texts.roomMalformed);
    if (mode === 'real' && userId === null) return setProblem(t('account.loginRequired'));
    setProblem(undefined);
    try {
      if (mode === 'real' && userId !== null) {
        await enterStudyRoom(userId, roomId);
      }
      setRunning({ mode, roomId });
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('room.enterFailed'));
    }
  };
  const stop = () => {
    setRunning(null);
    if (running?.mode !== 'real' || userId === null) return;
    leaveStudyRoom(userId).catch(() => setProblem(t('room.leaveFailed')));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (running === null) void start();
    else stop();
  };

  return (
    <section className="grid gap-5 md:grid-cols-2" aria-label={texts.chatTest}>
      <form className="grid content-start gap-4" onSubmit={onSubmit}>
        <TextField
          label={texts.roomNumber}
          inputMode="numeric"
          value={room}
          readOnly={running !== null}
          error={problem}
          onChange={(event) => setRoom(event.target.value)}
        />
        <ModeChoice mode={mode} isLocked={running !== null} onMode={setMode} />
        <div>
          <Button type="submit" variant={running === null ? 'primary' : 'secondary'}>
            {running === null ? texts.start : texts.stop}
          </Button>
        </div>
      </form>
      <div className="h-[36rem] w-full max-w-[22.5rem] overflow-hidden rounded-large border border-line bg-surface">
        {running === null && <p className="p-6 text-ink-soft text-small">{texts.notRunning}</p>}
        {running?.mode === 'mock' && <MockChat key={running.roomId} roomId={running.roomId} />}
        {running?.mode === 'real' && userId !== null && (
          <RealChat roomId={running.roomId} userId={userId} />
        )}
      </div>
    </section>
  );
}

interface ModeChoiceProps {
  readonly mode: Mode;
  readonly isLocked: boolean;
  readonly onMode: (mode: Mode) => void;
}

function ModeChoice({ mode, isLocked, onMode }: ModeChoiceProps) {
  const texts = useDeveloperTexts();
  const name = useId();
  const choices = [
    ['mock', texts.mock],
    ['real', texts.real],
  ] as const;
  return (
    <fieldset className="grid gap-2" disabled={isLocked}>
      <legend className="mb-1 font-semibold text-small">{texts.mode}</legend>
      {choices.map(([value, label]) => (
        <label key={value} className="flex min-h-9 items-center gap-3 text-small">
          <input
            type="radio"
            name={name}
            checked={mode === value}
            className="size-5 accent-primary"
            onChange={() => onMode(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
