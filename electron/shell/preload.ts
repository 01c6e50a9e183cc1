/** The one bridge between page and program: requests out, events in, and nothing of Electron itself. */
import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import { channels } from '../../shared/contract/bridge.ts';
import type { Bridge } from '../../shared/contract/client.ts';

let subscribed = false;

/** Electron before 29 has no `webUtils`, and puts the path on the file itself. */
function pathOf(file: object): string | null {
  const found: unknown = webUtils ? webUtils.getPathForFile(file as File) : Reflect.get(file, 'path');
  // A file that a page has made lies nowhere.
  return typeof found === 'string' && found !== '' ? found : null;
}

const bridge: Bridge = {
  request: (name, input) => ipcRenderer.invoke(channels.request, name, input),
  subscribe(listener) {
    const hear = (_event: IpcRendererEvent, message: { name: string; payload: unknown }) => listener(message);
    ipcRenderer.on(channels.event, hear);
    if (!subscribed) ipcRenderer.send(channels.subscribe);
    subscribed = true;
    return () => {
      ipcRenderer.removeListener(channels.event, hear);
    };
  },
  pathOf,
};

contextBridge.exposeInMainWorld('filebridge', bridge);
