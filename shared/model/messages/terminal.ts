/** The wordings at a terminal: the agents', except where nothing is pasted or dropped, and options give values. */
import { agents } from './agents.en/index.ts';
import type { Wordings } from './message.ts';

export const terminal: Wordings = {
  ...agents,
  'import.secrets.hint': "Set environment variables and give --env NAME='${NAME}', or add it in the Filebridge app",
  'pasted.none': 'The text has no servers in it',
  'pasted.invalid': ({ format, fault }) => `The text is not valid ${format}: ${fault}`,
  'pasted.hint':
    'Give what the server\'s instructions give, in quotes: its command (a program of your own by its full path), its address, an install link, or a block such as { "mcpServers": { … } }',
  'pasted.empty': 'The text is empty',
  'pasted.unknown': 'The text is not understood',
  'pasted.tooLong': 'The text is longer than settings ever are',
  'pasted.tooLong.hint': 'Give only the part with the server',
  'pasted.tooMany': ({ most }) => `The text has more than ${most} servers in it`,
  'pasted.deep': 'The text is nested too deeply',
  'pasted.openQuote': 'A quotation mark in the command is not closed',
  'pasted.openQuote.hint': 'Give the whole command',
  'pasted.shell': ({ part }) => `The command needs a shell: it has '${part}' in it`,
  'pasted.shell.hint': 'Give only the command that starts the server, with its arguments',
  'pasted.installs': 'The command installs a server, and does not start one',
  'pasted.installs.hint': 'Run it first, then add the command that starts the server',
  'pasted.otherApp': 'The command changes the settings of another app, and does not say how the server starts',
  'pasted.otherApp.hint': "Give the server's own command or address, which its instructions give as well",
  'pasted.link.hint': 'Copy it again, and put it in quotes',
  'pasted.download.hint': 'Download the file, and give its path',
};
