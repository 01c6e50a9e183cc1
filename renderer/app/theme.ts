/** Light or dark: the user's setting, or the system's. */
import type { AppSettings } from '../../shared/model/config.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');
let wanted: AppSettings['appearance'] = 'system';

function apply(): void {
  document.documentElement.dataset.theme = wanted === 'system' ? (dark.matches ? 'dark' : 'light') : wanted;
}

dark.addEventListener('change', apply);

export function setAppearance(appearance: AppSettings['appearance']): void {
  wanted = appearance;
  apply();
}
