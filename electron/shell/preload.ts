/** The one bridge between page and program: requests out, events in, and nothing of Electron itself. */
import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import { channels } from '../../shared/contract/bridge.ts';
import type { Bridge } from '../../shared/contract/client.ts';

let subscribed = false;

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
};

contextBridge.exposeInMainWorld('filebridge', bridge);
