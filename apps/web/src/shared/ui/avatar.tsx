import { DEFAULT_PROFILE_IMAGE } from '@mogakgong/contract';
import { useState } from 'react';
import defaultPicture from './default-profile.svg';

/**
 * The address of a profile picture: the default is a bundled picture, relative paths belong to the API host,
 * which is this site (specification §7, §9). An invalid address gets the default too.
 */
export function profileImageAddress(profileImage: string): string {
  if (profileImage === '' || profileImage === DEFAULT_PROFILE_IMAGE) return defaultPicture;
  const { origin } = window.location;
  return URL.canParse(profileImage, origin) ? new URL(profileImage, origin).href : defaultPicture;
}

/** The number of colours for first letters (tokens.css). */
const COLOURS = 6;

/** People with the same first letter get different colours; one name always has the same. */
const colourOf = (name: string) =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % COLOURS;

interface AvatarProps {
  /** The learner's name; its first letter replaces a missing picture, or one that fails to load. */
  readonly name: string;
  /** A profile picture as the API names it. */
  readonly image?: string | undefined;
  /** Pixels of its square. */
  readonly size?: number;
}

/** A learner's picture. Decorative: the name stands beside it. */
export function Avatar({ name, image, size = 36 }: AvatarProps) {
  const address = image === undefined ? undefined : profileImageAddress(image);
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const [initial] = name.trim();
  const src = address === defaultPicture && initial ? undefined : address;
  if (src && src !== brokenSrc) {
    return (
      <img
        src={src}
        alt=""
        width={size}
        height={size}
        className="shrink-0 rounded-full bg-raised object-cover"
        onError={() => setBrokenSrc(src)}
      />
    );
  }
  const colour = `--person-${colourOf(name)}`;
  return (
    <svg viewBox="0 0 36 36" width={size} height={size} aria-hidden="true" className="shrink-0">
      <circle cx="18" cy="18" r="18" style={{ fill: `var(${colour}-wash)` }} />
      <text
        x="18"
        y="18"
        textAnchor="middle"
        dominantBaseline="central"
        fontSize="16"
        fontWeight="700"
        style={{ fill: `var(${colour})` }}
      >
        {initial?.toUpperCase() ?? '·'}
      </text>
    </svg>
  );
}
