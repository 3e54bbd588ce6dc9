import type { RoomCard } from '@mogakgong/contract';
import { Check, KeyRound, type LucideIcon, Video } from 'lucide-react';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

type Conditions = Pick<RoomCard, 'needsApproval' | 'needsCamera'>;
type Rules = Conditions & Pick<RoomCard, 'isPublic'>;

/** A room's conditions in a word each; nothing for a room without conditions. */
export function RoomRules({ room }: { readonly room: Rules }) {
  const { t } = useTranslation(roomTexts);
  return (
    <>
      {!room.isPublic && <Rule icon={KeyRound} text={t('rule.private')} />}
      {room.needsApproval && <Rule icon={Check} text={t('rule.approval')} />}
      {room.needsCamera && <Rule icon={Video} text={t('rule.camera')} />}
    </>
  );
}

function Rule({ icon: Icon, text }: { readonly icon: LucideIcon; readonly text: string }) {
  return (
    <span className="inline-flex items-center gap-1 rounded-small bg-raised px-2 py-0.5 text-caption text-ink-soft">
      <Icon size={14} aria-hidden="true" />
      {text}
    </span>
  );
}

/** The same in sentences, for a learner about to enter. */
export function RoomRuleNotes({ room }: { readonly room: Conditions }) {
  const { t } = useTranslation(roomTexts);
  if (!room.needsApproval && !room.needsCamera) return null;
  return (
    <ul className="grid gap-1.5 text-left text-ink-soft text-small">
      {room.needsApproval && <li>{t('rule.approvalNote')}</li>}
      {room.needsCamera && <li>{t('rule.cameraNote')}</li>}
    </ul>
  );
}
