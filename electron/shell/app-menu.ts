/** The application's menu: macOS shows it always; elsewhere it is behind Alt and brings the usual keys. */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { Text } from './texts.ts';

export function setAppMenu(t: Text, quit: () => void): void {
  const leave: MenuItemConstructorOptions = { label: t('quit'), accelerator: 'CommandOrControl+Q', click: quit };
  const first: MenuItemConstructorOptions = {
    label: 'Filebridge',
    submenu:
      process.platform === 'darwin'
        ? [
            { role: 'about' },
            { type: 'separator' },
            { role: 'services' },
            { type: 'separator' },
            { role: 'hide' },
            { role: 'hideOthers' },
            { role: 'unhide' },
            { type: 'separator' },
            leave,
          ]
        : [{ role: 'close' }, { type: 'separator' }, leave],
  };
  // Submenus are written out: the ready-made ones bring reloading and developer tools along.
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      first,
      {
        label: t('edit'),
        submenu: [
          { role: 'undo' },
          { role: 'redo' },
          { type: 'separator' },
          { role: 'cut' },
          { role: 'copy' },
          { role: 'paste' },
          { role: 'selectAll' },
        ],
      },
      {
        label: t('view'),
        submenu: [
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          { type: 'separator' },
          { role: 'togglefullscreen' },
        ],
      },
      ...(process.platform === 'darwin' ? [{ role: 'windowMenu' as const, label: t('window') }] : []),
    ]),
  );
}
