/** Asks the person in system dialogs, one at a time. */
import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import type { Text } from './texts.ts';

/** An answer is undefined where another question is open already. */
export interface Questions {
  /** The window is closed, and the app goes on. */
  livesOn(): Promise<'stay' | 'quit' | undefined>;
  /** Agents would lose their tools. */
  quit(): Promise<'stay' | 'quit' | undefined>;
}

/** `window` is the parent of the dialogs, if there is one. */
export function createQuestions(window: () => BrowserWindow | undefined, text: () => Text): Questions {
  let open = false;

  async function ask<A>(question: MessageBoxOptions, answers: readonly A[]): Promise<A | undefined> {
    if (open) return undefined;
    open = true;
    try {
      const parent = window();
      const { response } = await (parent ? dialog.showMessageBox(parent, question) : dialog.showMessageBox(question));
      return answers[response];
    } finally {
      open = false;
    }
  }

  return {
    livesOn() {
      const t = text();
      return ask(
        {
          type: 'info',
          message: t('staysTitle'),
          detail: t(process.platform === 'darwin' ? 'staysDetailMac' : 'staysDetail'),
          buttons: [t('understood'), t('quit')],
          defaultId: 0,
          cancelId: 0,
        },
        ['stay', 'quit'] as const,
      );
    },
    quit() {
      const t = text();
      return ask(
        {
          type: 'warning',
          message: t('quitTitle'),
          detail: t('quitDetail'),
          buttons: [t('quit'), t('cancel')],
          defaultId: 1,
          cancelId: 1,
        },
        ['quit', 'stay'] as const,
      );
    },
  };
}
