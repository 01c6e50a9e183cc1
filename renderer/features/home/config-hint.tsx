/** What to do where a list is empty: the lines to add, and the file to add them to. */
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';

export function ConfigHint({
  configPath,
  sample,
  name,
  children,
}: {
  configPath: string | undefined;
  sample: string;
  name: string;
  children: ReactNode;
}) {
  return (
    <div className="empty">
      <p>{children}</p>
      <p>
        Add one to {configPath === undefined ? 'the configuration file' : <code className="path">{configPath}</code>}. A whole
        file looks like this; edits are taken over at once:
      </p>
      <div className="snippet">
        <pre>{sample}</pre>
        <CopyButton text={sample} label="Copy" name={name} />
      </div>
    </div>
  );
}
