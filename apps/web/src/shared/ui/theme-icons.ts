import { Moon, Sun, SunMoon } from 'lucide-react';

export const themeIcons = { system: SunMoon, light: Sun, dark: Moon } as const;
