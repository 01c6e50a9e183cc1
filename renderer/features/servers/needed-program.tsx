/** The program that a server runs with: what people call it, and where to get one that is missing. */
import type { ProgramView } from '../../../shared/contract/upstreams.ts';
import { visibleText } from '../../../shared/lib/visible-text.ts';
import { useCommand } from '../../api/use-client.ts';
import { t } from './servers-texts.ts';

/** The program that provides a command. */
const providers: Readonly<Record<string, string>> = { npx: 'Node.js', node: 'Node.js', uvx: 'uv', docker: 'Docker' };

export const programName = ({ name }: ProgramView): string =>
  Object.hasOwn(providers, name) ? (providers[name] ?? name) : visibleText(name);

/** That it is missing, and what to do. `older`: the version that is there instead. */
export function MissingProgram({
  program,
  name = programName(program),
  older = null,
}: {
  program: ProgramView;
  name?: string;
  older?: number | null;
}) {
  const open = useCommand('upstreams.openProgramPage');
  const { site } = program;
  const said = older === null ? t('programMissing', { program: name }) : t('programOlder', { program: name, version: older });
  if (site === null) return `${said} ${t('programElsewhere')}`;
  return (
    <>
      {said} {t('programGet')} {/* The app opens no windows: it hands the page to the browser. */}
      <a href={site} target="_blank" rel="noreferrer" onClick={() => void open.run({ program: program.name })}>
        {t('openPage', { host: new URL(site).host })}
      </a>
    </>
  );
}
