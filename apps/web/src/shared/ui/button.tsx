import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

/** `primary`: the one thing to do here · `secondary`: beside it · `quiet`: no frame. */
type ButtonVariant = 'primary' | 'secondary' | 'quiet';
/** `small` 36 px high (44 px for touch and in narrow windows), `medium` 44 px, `large` 56 px. */
type ButtonSize = 'small' | 'medium' | 'large';

interface ButtonLook {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  /** Shown before the label; decorative. */
  readonly icon?: LucideIcon;
  /** Takes the full width of its container. */
  readonly wide?: boolean;
}

const VARIANTS: Readonly<Record<ButtonVariant, string>> = {
  primary: 'bg-primary text-on-primary hover:bg-primary-hover',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-raised',
  quiet: 'text-ink-soft hover:bg-raised hover:text-ink',
};

const SIZES: Readonly<Record<ButtonSize, string>> = {
  small:
    'min-h-9 min-w-11 whitespace-nowrap gap-1.5 rounded-small px-3 text-small max-lg:min-h-11 pointer-coarse:min-h-11',
  medium: 'min-h-11 gap-2 rounded-medium px-5 text-small',
  large: 'min-h-14 gap-2.5 rounded-medium px-7 text-body',
};

const ICON_PX: Readonly<Record<ButtonSize, number>> = { small: 16, medium: 18, large: 20 };

function buttonClass({ variant = 'secondary', size = 'medium', wide }: ButtonLook): string {
  return classNames(
    'inline-flex select-none items-center justify-center text-center font-semibold transition-[background-color,color,transform] active:translate-y-px disabled:cursor-not-allowed disabled:opacity-55',
    VARIANTS[variant],
    SIZES[size],
    wide && 'w-full',
  );
}

type ButtonProps = ButtonLook &
  Omit<ComponentProps<'button'>, 'className'> & {
    /** Shows a spinner and ignores presses; the label stays to keep the width. */
    readonly loading?: boolean;
  };

/** A button. `type` is `button` by default: a form's button sets `type="submit"`. */
export function Button({
  variant,
  size = 'medium',
  icon: Icon,
  wide,
  loading = false,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size, wide })}
      aria-busy={loading || undefined}
      aria-disabled={loading || undefined}
      onClick={(event) => {
        if (loading) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {loading ? <Spinner /> : Icon && <Icon size={ICON_PX[size]} aria-hidden="true" />}
      {children}
    </button>
  );
}

type LinkButtonProps = ButtonLook & {
  readonly href: string;
  /** Leaves the application: the browser loads the address. */
  readonly external?: boolean;
  readonly children: ReactNode;
};

/** A link that looks like a button: for navigation, not for an action. */
export function LinkButton({ icon: Icon, href, external, children, ...look }: LinkButtonProps) {
  const props = { href, className: buttonClass(look) };
  const content = (
    <>
      {Icon && <Icon size={ICON_PX[look.size ?? 'medium']} aria-hidden="true" />}
      {children}
    </>
  );
  return external ? <a {...props}>{content}</a> : <Link {...props}>{content}</Link>;
}

const ROUND_VARIANTS = {
  quiet: 'text-ink-soft hover:bg-raised hover:text-ink',
  primary: 'bg-primary text-on-primary hover:bg-primary-hover aria-disabled:opacity-45',
  overPicture: 'bg-surface/85 text-ink',
} as const;

const ROUND_SIZES = {
  small: { button: 'size-9 max-lg:size-11 pointer-coarse:size-11', iconPx: 18 },
  medium: { button: 'size-11', iconPx: 20 },
  large: { button: 'size-14', iconPx: 26 },
} as const;

interface RoundButtonProps extends ComponentProps<'button'> {
  readonly variant?: keyof typeof ROUND_VARIANTS;
  /** `small` 36 px, `medium` 44 px, `large` 56 px wide and high. */
  readonly size?: keyof typeof ROUND_SIZES;
  /** Position and visibility; the look is the same everywhere. */
  readonly className?: string;
}

/** A round button, named by its children. `type` is `button` by default. */
export function RoundButton({
  variant = 'quiet',
  size = 'medium',
  type = 'button',
  className,
  ...rest
}: RoundButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classNames(
        'grid shrink-0 place-items-center rounded-full transition-[background-color,color,opacity]',
        ROUND_VARIANTS[variant],
        ROUND_SIZES[size].button,
        className,
      )}
    />
  );
}

export interface IconButtonProps extends Omit<RoundButtonProps, 'aria-label'> {
  readonly icon: LucideIcon;
  /** The action, for screen readers. */
  readonly label: string;
}

/** A round button with only an icon. */
export function IconButton({ icon: Icon, label, children, ...rest }: IconButtonProps) {
  return (
    <RoundButton {...rest} aria-label={label}>
      <Icon size={ROUND_SIZES[rest.size ?? 'medium'].iconPx} aria-hidden="true" />
      {children}
    </RoundButton>
  );
}
