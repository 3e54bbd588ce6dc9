import type { AutomaticRule, SanctionKind } from '@mogakgong/contract';
import { DAY_MS, MINUTE_MS } from '@mogakgong/contract';

interface AutomaticSanction {
  readonly kind: SanctionKind;
  /** Null until a moderator decides. */
  readonly lastsMs: number | null;
  /** The stored reason; the pages have their own text in both languages. */
  readonly reason: string;
}

/** How long published sound is remembered: the next one suspends. */
export const SOUND_REMEMBERED_MS = 30 * DAY_MS;

/** Automatic sanctions: moderate, and lifted by any moderator. */
export const automaticSanctions: Readonly<Record<AutomaticRule, AutomaticSanction>> = {
  sound: {
    kind: 'warn',
    lastsMs: 0,
    reason: '카메라가 아닌 소리나 화면을 보내서 자리가 끝났어요.',
  },
  soundAgain: {
    kind: 'suspend',
    lastsMs: DAY_MS,
    reason: '경고를 받은 뒤 다시 카메라가 아닌 소리나 화면을 보냈어요.',
  },
  flood: {
    kind: 'muteChat',
    lastsMs: 10 * MINUTE_MS,
    reason: '짧은 시간에 너무 많은 메시지를 보냈어요.',
  },
  obsceneReports: {
    kind: 'cameraOff',
    lastsMs: null,
    reason: '같은 방의 여러 사람이 음란한 화면으로 신고했어요.',
  },
};
