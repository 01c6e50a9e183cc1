/** Types of the object that the desktop app's preload script adds; absent in a browser. */
interface Window {
  readonly filebridge?: import('../../shared/contract/rpc.ts').Bridge;
}
