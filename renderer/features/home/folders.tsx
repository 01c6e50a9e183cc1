/** The folders agents may name files in, and what they may do there. */
import { useAnswer } from '../../api/use-answer.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/section.tsx';
import { ConfigHint } from './config-hint.tsx';

const nothing = {};
const events = ['status.changed'] as const;
const access = { read: 'Read only', 'read-write': 'Read and write' } as const;

const sample = `{
  "version": 1,
  "folders": [
    { "path": "/data", "access": "read" }
  ]
}`;

export function Folders({ configPath }: { configPath: string | undefined }) {
  const folders = useAnswer('folders.list', nothing, events);
  return (
    <Section title="Folders">
      <Loaded answer={folders}>
        {(list) =>
          list.length === 0 ? (
            <ConfigHint configPath={configPath} sample={sample} name="the example folder">
              No folder yet. Agents can read files only in the folders you allow.
            </ConfigHint>
          ) : (
            <ul className="rows">
              {list.map(({ path, access: mode, exists }) => (
                <li className="row" key={path}>
                  <div className="row-main">
                    <code className="path">{path}</code>
                    <span className="tag" data-access={mode}>
                      {access[mode]}
                    </span>
                  </div>
                  {exists ? null : (
                    <p className="row-trouble">This folder is not there. Create it, or remove it from the list.</p>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
