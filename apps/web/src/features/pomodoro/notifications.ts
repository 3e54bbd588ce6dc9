/** Whether the browser shows notifications of this site; `unasked` until the learner is asked. */
export type NotificationLeave = 'granted' | 'denied' | 'unasked' | 'impossible';

export function notificationLeave(): NotificationLeave {
  if (typeof Notification === 'undefined') return 'impossible';
  return Notification.permission === 'default' ? 'unasked' : Notification.permission;
}

/** Asks the learner; only on their own press. */
export async function askForNotifications(): Promise<NotificationLeave> {
  if (notificationLeave() === 'unasked') await Notification.requestPermission();
  return notificationLeave();
}

/** Shows one, where it is allowed; phones allow it to service workers only, and throw. */
export function showNotification(text: string): void {
  if (notificationLeave() !== 'granted') return;
  try {
    const shown = new Notification(text, { tag: 'pomodoro', icon: '/favicon.svg', silent: true });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // The sound and the title are left.
  }
}
