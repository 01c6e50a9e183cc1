/** Parts of a definition that changed, each as it was and as it is. */
import { visibleText } from '../../shared/lib/visible-text.ts';
import './before-after.css';
import { CodeBlock } from './code-block.tsx';
import { t } from './ui-texts.ts';

export interface ChangedPart {
  part: 'entry' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations';
  /** Null where there was, or is, none. */
  before: string | null;
  after: string | null;
}

const names = {
  entry: 'partEntry',
  title: 'partTitle',
  description: 'partDescription',
  inputSchema: 'partInput',
  outputSchema: 'partOutput',
  annotations: 'partAnnotations',
} as const;

interface BeforeAfterProps {
  /** The owner of the parts, for the texts' accessible names. */
  of: string;
  parts: readonly ChangedPart[];
  heading: 'h3' | 'h4';
}

export function BeforeAfter({ of, parts, heading: Heading }: BeforeAfterProps) {
  return parts.map(({ part, before, after }) => (
    <div key={part} className="before-after">
      <Heading>{t(names[part])}</Heading>
      <div className="before-after-sides">
        <Side label={t('before')} name={`${of}, ${t(names[part])}`} text={before} />
        <Side label={t('after')} name={`${of}, ${t(names[part])}`} text={after} />
      </div>
    </div>
  ));
}

function Side({ label, name, text }: { label: string; name: string; text: string | null }) {
  if (text === null) return null;
  return (
    <div className="before-after-side">
      <p className="quiet small">{label}</p>
      <CodeBlock name={`${name}, ${label}`} copy={false} text={visibleText(text.replaceAll('\r\n', '\n'), { keepLines: true })} />
    </div>
  );
}
