/** The wordings that persons read in German. */
import type { Wordings } from '../message.ts';
import { adding } from './adding.ts';
import { agentApps } from './agent-apps.ts';
import { approvals } from './approvals.ts';
import { binding } from './binding.ts';
import { calls } from './calls.ts';
import { commandLine } from './command-line.ts';
import { containers } from './containers.ts';
import { converting } from './converting.ts';
import { fileTools } from './file-tools.ts';
import { files } from './files.ts';
import { json } from './json.ts';
import { keeping } from './keeping.ts';
import { parameters } from './parameters.ts';
import { pathCheck } from './path-check.ts';
import { problems } from './problems.ts';
import { reading } from './reading.ts';
import { requests } from './requests.ts';
import { serverSettings } from './server-settings.ts';
import { servers } from './servers.ts';
import { settingsFaults } from './settings-faults.ts';
import { signIn } from './sign-in.ts';
import { starting } from './starting.ts';
import { window } from './window.ts';
import { wire } from './wire.ts';

export const german: Wordings = {
  ...adding,
  ...agentApps,
  ...approvals,
  ...binding,
  ...calls,
  ...commandLine,
  ...containers,
  ...converting,
  ...fileTools,
  ...files,
  ...json,
  ...keeping,
  ...parameters,
  ...pathCheck,
  ...problems,
  ...reading,
  ...requests,
  ...serverSettings,
  ...servers,
  ...settingsFaults,
  ...signIn,
  ...starting,
  ...window,
  ...wire,
};
