/** Goes where the tray's menu or a notification asked. */
import { useLocation } from 'wouter';
import { useEvent } from '../api/use-event.ts';

export function PageAsked() {
  const [, go] = useLocation();
  useEvent('page.asked', ({ page }) => go(page));
  return null;
}
