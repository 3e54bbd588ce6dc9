import type { ReactNode } from 'react';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Desk } from '../../shared/ui/desk.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { Logo } from '../../shared/ui/logo.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

const variants = ['primary', 'secondary', 'quiet'] as const;
const lights = ['off', 'low', 'burning'] as const;
const statuses = ['idle', 'focus', 'pause', 'away', 'ended'] as const;

/** Every component of our own set, in its states. */
export function Gallery() {
  const { t } = useTranslation(moderationTexts);
  return (
    <section className="grid gap-6" aria-label={t('developer.gallery')}>
      <h2 className="font-bold text-body">{t('developer.gallery')}</h2>
      <div className="grid gap-6 md:grid-cols-2">
        <Specimen name="Button">
          {variants.map((variant) => (
            <Button key={variant} variant={variant}>
              {variant}
            </Button>
          ))}
          <Button variant="primary" loading>
            loading
          </Button>
          <Button disabled>disabled</Button>
        </Specimen>
        <Specimen name="StatusDot, Lamp, Spinner">
          {statuses.map((status) => (
            <StatusDot key={status} status={status} size={18} />
          ))}
          {lights.map((light) => (
            <Lamp key={light} light={light} size={48} />
          ))}
          <Spinner />
        </Specimen>
        <Specimen name="TextField, Checkbox">
          <div className="grid w-full gap-4">
            <TextField label={t('developer.fieldLabel')} hint={t('developer.fieldHint')} />
            <TextField
              label={t('developer.fieldLabel')}
              error={t('developer.fieldError')}
              defaultValue="?"
            />
            <TextField
              label={t('developer.fieldLabel')}
              type="password"
              success={t('developer.fieldSuccess')}
            />
            <Checkbox label={t('developer.fieldLabel')} defaultChecked />
          </div>
        </Specimen>
        <Specimen name="Dialog, Menu, notify">
          <Button onClick={() => void notify.dialog({ text: t('developer.mockGreeting') })}>
            notify.dialog
          </Button>
          <Button onClick={() => notify.toast(t('developer.fieldSuccess'), 'good')}>
            toast: good
          </Button>
          <Button onClick={() => notify.toast(t('developer.fieldError'), 'bad')}>toast: bad</Button>
          <Menu
            label="Menu"
            trigger={<Avatar name="M" />}
            entries={[
              { key: 'first', label: t('developer.testPage') },
              { key: 'second', label: t('developer.blockTest') },
            ]}
          />
        </Specimen>
        <Specimen name="Avatar, Logo">
          <Avatar name={t('developer.mockFirst')} />
          <Avatar name={t('developer.mockSecond')} size={56} />
          <Logo />
        </Specimen>
        <Specimen name="Desk">
          {lights.map((light) => (
            <div key={light} className="w-36 overflow-hidden rounded-medium">
              <Desk light={light} hair="bob" clothes="pine" work="book" />
            </div>
          ))}
        </Specimen>
      </div>
    </section>
  );
}

function Specimen({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid content-start gap-3 rounded-large border border-line p-5">
      <h3 className="text-caption text-ink-soft">{name}</h3>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </div>
  );
}
