/** The only bridge between page and program: requests out, events in, no Electron API. */
import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import { channels } from '../../shared/contract/bridge.ts';
import type { Bridge } from '../../shared/contract/rpc.ts';

type Listener = Parameters<Bridge['subscribe']>[0];

/** All listeners of the page; they share one IPC subscription. */
const listeners = new Set<Listener>();
let subscribed = false;

/** Electron before 29 has no `webUtils`, and puts the path on the file itself. */
function pathOf(file: object): string | null {
  const found: unknown = webUtils ? webUtils.getPathForFile(file as File) : Reflect.get(file, 'path');
  // A file created by the page has no path.
  return typeof found === 'string' && found !== '' ? found : null;
}

const bridge: Bridge = {
  request: (name, input) => ipcRenderer.invoke(channels.request, name, input),
  subscribe(listener) {
    // The same function may subscribe more than once.
    const hear: Listener = (event) => listener(event);
    listeners.add(hear);
    if (!subscribed) {
      ipcRenderer.on(channels.event, (_event: IpcRendererEvent, message: Parameters<Listener>[0]) => {
        for (const each of [...listeners]) each(message);
      });
      ipcRenderer.send(channels.subscribe);
    }
    subscribed = true;
    return () => {
      listeners.delete(hear);
    };
  },
  pathOf,
};

contextBridge.exposeInMainWorld('filebridge', bridge);
