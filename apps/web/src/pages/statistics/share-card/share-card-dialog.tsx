import type { UserId } from '@mogakgong/contract';
import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import Share2 from 'lucide-react/icons/share-2';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useGoal } from '../../../features/goals/use-goal.ts';
import { serverNowMs } from '../../../shared/clock/index.ts';
import { studyTexts } from '../../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../../shared/i18n/texts.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Checkbox } from '../../../shared/ui/checkbox.tsx';
import { Choice } from '../../../shared/ui/choice.tsx';
import { Desk } from '../../../shared/ui/desk.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { saveFile } from '../../../shared/ui/save-file.ts';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { TakesLong } from '../../../shared/ui/waiting.tsx';
import {
  type CardFacts,
  type CardSpan,
  cardAlt,
  cardContent,
  spansWithFocus,
} from './card-content.ts';
import { CARD_SIZE, CARD_THEMES, type CardContent, type CardTheme, drawCard } from './draw-card.ts';

interface ShareCardDialogProps extends Pick<CardFacts, 'today' | 'statistics' | 'studyDays'> {
  readonly userId: UserId;
  readonly onClose: () => void;
}

/** A picture of today or this week, to save or share. It is made here, and sent nowhere by itself. */
export function ShareCardDialog({ userId, onClose, ...known }: ShareCardDialogProps) {
  const { t, language } = useTranslation(studyTexts);
  const goal = useGoal(userId).value;
  const [openedAt] = useState(() => ({ ...known, nowMs: serverNowMs() }));
  const spans = spansWithFocus({ ...openedAt, goal });
  const [span, setSpan] = useState<CardSpan>(spans[0] ?? 'week');
  const [theme, setTheme] = useState<CardTheme>('dark');
  const [hasName, setHasName] = useState(false);
  const name = hasName ? openedAt.statistics.nickname : '';
  const content = cardContent(t, language, span, name, { ...openedAt, goal });
  const deskRef = useRef<HTMLDivElement>(null);
  const card = useCard(content, theme, deskRef);
  return (
    <Dialog
      title={t('card.title')}
      onClose={onClose}
      actions={<CardActions blob={card.blob} day={openedAt.today.day} onClose={onClose} />}
    >
      <div className="grid gap-4">
        <p className="text-small">{t('card.lead')}</p>
        <div
          // The options below it stay visible in a low window too.
          className="mx-auto grid h-[clamp(9rem,100dvh-34rem,20rem)] max-w-full place-items-center overflow-hidden rounded-medium border border-line bg-raised sm:h-[clamp(9rem,100dvh-28rem,20rem)]"
          style={{ aspectRatio: CARD_SIZE.width / CARD_SIZE.height }}
        >
          {card.picture && !card.hasFailed ? (
            <img
              src={card.picture.address}
              alt={cardAlt(t, card.picture.content)}
              className="block size-full object-cover"
            />
          ) : (
            <p role={card.hasFailed ? 'alert' : 'status'} className="p-4 text-center text-small">
              {card.hasFailed ? t('card.failed') : <Spinner />}
              {!card.hasFailed && <span className="sr-only">{t('card.drawing')}</span>}
            </p>
          )}
        </div>
        {/* Its glyphs may still be loading. */}
        {!card.picture && !card.hasFailed && <TakesLong />}
        {/* All of it fits the window of a phone, where the options name themselves. */}
        <div className="flex flex-wrap gap-x-4 gap-y-3 max-sm:[&_legend]:sr-only">
          <Choice
            label={t('card.span')}
            options={spans.map((value) => ({ value, label: t(`card.span.${value}`) }))}
            value={span}
            onChange={setSpan}
          />
          <Choice
            label={t('card.theme')}
            options={CARD_THEMES.map((value) => ({ value, label: t(`card.theme.${value}`) }))}
            value={theme}
            onChange={setTheme}
          />
        </div>
        <Checkbox
          label={t('card.withName')}
          checked={hasName}
          onChange={(event) => setHasName(event.target.checked)}
        />
        {/* The picture takes its drawing from here. */}
        <div ref={deskRef} aria-hidden="true" className="sr-only">
          <Desk light="burning" hair="bob" clothes="pine" work="book" />
        </div>
      </div>
    </Dialog>
  );
}

interface Picture {
  readonly blob: Blob;
  readonly address: string;
  readonly content: CardContent;
  /** The drawing it was made from. */
  readonly source: string;
}

/**
 * The drawn card. While another is drawn the previous one stays visible, but is not shared.
 * @returns `blob` is null until the picture matches the choice.
 */
function useCard(
  content: CardContent,
  theme: CardTheme,
  deskRef: RefObject<HTMLDivElement | null>,
) {
  const [picture, setPicture] = useState<Picture | null>(null);
  const [failedSource, setFailedSource] = useState<string | null>(null);
  const source = JSON.stringify({ content, theme });
  useEffect(() => {
    let isWanted = true;
    const desk = deskRef.current?.querySelector('svg');
    const draw = async () => {
      if (!desk) throw new Error('there is no drawing of a desk');
      const drawn: { content: CardContent; theme: CardTheme } = JSON.parse(source);
      const blob = await drawCard(drawn.content, drawn.theme, desk);
      if (!isWanted) return;
      setPicture({ blob, address: URL.createObjectURL(blob), content: drawn.content, source });
    };
    draw().catch(() => isWanted && setFailedSource(source));
    return () => {
      isWanted = false;
    };
  }, [source, deskRef]);
  useEffect(() => () => URL.revokeObjectURL(picture?.address ?? ''), [picture]);
  const blob = picture?.source === source ? picture.blob : null;
  return { picture, blob, hasFailed: failedSource === source };
}

interface CardActionsProps {
  /** Null while it is drawn. */
  readonly blob: Blob | null;
  readonly day: string;
  readonly onClose: () => void;
}

function CardActions({ blob, day, onClose }: CardActionsProps) {
  const { t } = useTranslation(studyTexts);
  const [said, setSaid] = useState<'copied' | 'copyFailed' | 'shareFailed' | null>(null);
  const name = `mogakgong-${day}.png`;
  const file = blob && new File([blob], name, { type: 'image/png' });
  const copy = (picture: Blob) =>
    navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]).then(
      () => setSaid('copied'),
      () => setSaid('copyFailed'),
    );
  const share = (shared: File) =>
    navigator.share({ files: [shared] }).catch((error: unknown) => {
      // The learner closed the share sheet.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setSaid('shareFailed');
    });
  return (
    <>
      <p role="status" className="w-full text-right text-ink-soft text-small empty:hidden">
        {said && t(`card.${said}`)}
      </p>
      <Button variant="quiet" onClick={onClose}>
        {t('common.close')}
      </Button>
      {file && navigator.canShare?.({ files: [file] }) && (
        <Button icon={Share2} onClick={() => void share(file)}>
          {t('card.share')}
        </Button>
      )}
      {'ClipboardItem' in window && navigator.clipboard && (
        <Button icon={Copy} disabled={!blob} onClick={() => blob && void copy(blob)}>
          {t('card.copy')}
        </Button>
      )}
      <Button
        variant="primary"
        icon={Download}
        disabled={!blob}
        onClick={() => blob && saveFile(name, blob)}
      >
        {t('card.save')}
      </Button>
    </>
  );
}
