/** The window's requests and events over Electron's IPC, for our own page's main frame only. */

import { BrowserWindow, type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { channels } from '../../shared/contract/bridge.ts';
import type { EventName, EventPayload } from '../../shared/contract/contract.ts';
import { type EventMessage, reply } from '../../shared/contract/rpc.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { Api } from '../api/api.ts';
import { isOwnPage } from './page-protocol.ts';

function isOurs(event: IpcMainEvent | IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame.parent === null && isOwnPage(frame.url);
}

export function connectPage(api: Api): void {
  ipcMain.handle(channels.request, (event, name: unknown, input: unknown) => {
    if (isOurs(event) && typeof name === 'string') return api.request(name, input);
    return reply(async () => {
      if (isOurs(event)) throw new AppError('INVALID_REQUEST', say('window.operation'));
      throw new AppError('NOT_AUTHORIZED', say('window.foreign'));
    });
  });
  const subscribed = new WeakSet<WebContents>();
  ipcMain.on(channels.subscribe, (event) => {
    const page = event.sender;
    if (!isOurs(event) || subscribed.has(page)) return;
    subscribed.add(page);
    const seen = () => {
      const window = page.isDestroyed() ? null : BrowserWindow.fromWebContents(page);
      return window?.isVisible() === true && !window.isMinimized();
    };
    const tell = (message: EventMessage) => {
      if (!page.isDestroyed()) page.send(channels.event, message);
    };
    const unsubscribe = api.subscribe(tell, { seen });
    const leave = () => {
      subscribed.delete(page);
      unsubscribe(true);
    };
    // A reload subscribes again; the old page's subscription ends with it.
    page.once('did-navigate', leave);
    page.once('render-process-gone', leave);
    page.once('destroyed', leave);
  });
}

/** Sends a contract event to the window. */
export function tellPage<N extends EventName>(window: BrowserWindow, name: N, payload: EventPayload<N>): void {
  window.webContents.send(channels.event, { name, payload });
}
