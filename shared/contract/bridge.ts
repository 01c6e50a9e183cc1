/** The names of the window's IPC channels, shared by both ends. */
export const channels = {
  /** page → program: `(name, input)`, answered with a reply envelope. */
  request: 'filebridge:request',
  /** page → program: send me events from now on. */
  subscribe: 'filebridge:subscribe',
  /** program → page: one event message. */
  event: 'filebridge:event',
} as const;
