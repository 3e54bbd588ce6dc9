/** Whether the browser shows notifications of this site; `default` until the learner is asked. */
export function notificationPermission(): NotificationPermission | 'unsupported' {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;
}

/** Asks the learner; only on their own press. */
export async function askForNotifications(): Promise<NotificationPermission | 'unsupported'> {
  if (notificationPermission() === 'default') await Notification.requestPermission();
  return notificationPermission();
}

/** Shows a notification where allowed; phones allow it to service workers only, and throw. */
export function showNotification(text: string): void {
  if (notificationPermission() !== 'granted') return;
  try {
    const shown = new Notification(text, { tag: 'pomodoro', icon: '/favicon.svg', silent: true });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Sound and page title remain.
  }
}
