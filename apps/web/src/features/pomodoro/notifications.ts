/** Whether the browser shows notifications of this site; `default` until the learner is asked. */
export function notificationPermission(): NotificationPermission | 'unsupported' {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;
}

/** Asks the learner; only on their own press. */
export async function askForNotifications(): Promise<NotificationPermission | 'unsupported'> {
  if (notificationPermission() === 'default') await Notification.requestPermission();
  return notificationPermission();
}

/**
 * Shows a notification where allowed: by the service worker, as phones allow nobody else to. One of the same
 * phase that the server sends takes its place, by the tag.
 */
export async function showNotification(text: string): Promise<void> {
  if (notificationPermission() !== 'granted') return;
  const look = { tag: 'pomodoro', icon: '/icon-192.png', silent: true };
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration) return registration.showNotification(text, look);
  const shown = new Notification(text, look);
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}
