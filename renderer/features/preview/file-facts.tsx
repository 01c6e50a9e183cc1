/** A file's format, size and conversion result, and how far it was read. */

import type { ReactNode } from 'react';
import type { PreviewView } from '../../../shared/contract/preview.ts';
import type { ConversionOptions, ConversionReport } from '../../../shared/model/conversion.ts';
import { words } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { Callout, Placeholder } from '../../ui/feedback.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Facts, Section } from '../../ui/page.tsx';
import { delimiterName } from './delimiters.ts';
import { type Fix, fixesFor } from './fixes.ts';
import { t } from './preview-texts.ts';

const compressions = { gzip: 'gzip', brotli: 'Brotli', zstd: 'Zstandard' };

export const formatName = (format: ConversionReport['format']): string =>
  format === 'text' || format === 'binary' ? t(`format_${format}`) : format.toUpperCase();

/** Said by the tabs of sheets. */
const SHOWN_OTHERWISE: ReadonlySet<string> = new Set(['SHEET_OTHERS']);

export function FileFacts({
  view,
  options,
  onFix,
  children,
}: {
  view: PreviewView | undefined;
  options: ConversionOptions;
  onFix: (fix: Fix) => void;
  children: ReactNode;
}) {
  const warnings = view?.report?.warnings.filter(({ code }) => !SHOWN_OTHERWISE.has(code)) ?? [];
  const all = warnings.map(({ said }) => said);
  // One that settles several is offered with the first.
  const offered = new Map(
    [...warnings]
      .reverse()
      .flatMap((warning) => fixesFor(warning.said, options, all).map((fix) => [keyOf(fix), warning] as const)),
  );
  const fixesOf = (warning: (typeof warnings)[number]) =>
    fixesFor(warning.said, options, all).filter((fix) => offered.get(keyOf(fix)) === warning);
  return (
    <Section
      title={t(view?.state === 'failed' && !view.report ? 'brokenFile' : 'facts')}
      className="file-facts"
      actions={view ? <Reading view={view} /> : undefined}
    >
      {view?.report ? (
        <ReportFacts view={view} report={view.report} />
      ) : view ? (
        <SizeOnly view={view} />
      ) : (
        <Placeholder lines={4} />
      )}
      {warnings.length > 0 ? (
        <Callout kind="warning" title={t('warnings', { count: warnings.length })}>
          <ul className="warnings">
            {warnings.map((warning) => (
              <li key={warning.code + warning.message}>
                {words(warning).message}
                {fixesOf(warning).map((fix) => (
                  <Button
                    key={fix.label}
                    size="small"
                    onClick={({ currentTarget }) => {
                      // The warning goes, and its button with it.
                      if (fix.options !== undefined) focusOn(currentTarget.closest<HTMLElement>('.file-facts'));
                      onFix(fix);
                    }}
                  >
                    {fix.label}
                  </Button>
                ))}
              </li>
            ))}
          </ul>
        </Callout>
      ) : null}
      {children}
    </Section>
  );
}

const keyOf = ({ label, options }: Fix) => JSON.stringify([label, options]);

/** For what goes on there, also for those who do not see it. */
function focusOn(section: HTMLElement | null): void {
  if (section === null) return;
  section.tabIndex = -1;
  section.focus({ preventScroll: true });
}

function ReportFacts({ view, report }: { view: PreviewView; report: ConversionReport }) {
  const { tokens, columns, delimiter, compression, encoding, kind } = report;
  const about = tokens.method === 'estimated' || view.state === 'reading' ? '≈ ' : '';
  const sha = report.sha256;
  const technical: (readonly [string, ReactNode])[] = [
    [t('jsonSize'), formatBytes(report.outputBytes)],
    [t('tokensFact'), `${about}${formatCount(tokens.count)}`],
    ...(encoding ? ([[t('encoding'), encoding.toUpperCase()]] as const) : []),
    ...(delimiter ? ([[t('delimiter'), delimiterName(delimiter)]] as const) : []),
  ];
  return (
    <>
      <Facts
        facts={[
          [t('format'), compression ? `${formatName(report.format)}, ${compressions[compression]}` : formatName(report.format)],
          kind === 'array' ? [t('records'), formatCount(report.records)] : [t('kind'), t(`kind_${kind}`)],
          ...(columns ? ([[t('columns'), formatCount(columns.length)]] as const) : []),
          [t('size'), formatBytes(view.totalBytes)],
        ]}
      />
      <details className="file-details">
        <summary>{t('details')}</summary>
        <Facts facts={technical} />
        {sha === '' ? null : (
          <p className="file-proof">
            <span className="quiet small">SHA-256</span>
            <span className="path">{sha}</span>
            <CopyButton text={sha} name="SHA-256" look="quiet" />
          </p>
        )}
      </details>
    </>
  );
}

function SizeOnly({ view }: { view: PreviewView }) {
  return <Facts facts={[[t('size'), formatBytes(view.totalBytes)]]} />;
}

/** One line beside the heading, whatever the state, so that nothing moves. */
function Reading({ view: { state, bytesRead, totalBytes } }: { view: PreviewView }) {
  if (state === 'failed') return null;
  if (state === 'reading') {
    const values = { read: formatBytes(bytesRead), total: formatBytes(totalBytes) };
    return (
      <div className="reading-state" role="status">
        <progress value={bytesRead} max={Math.max(1, totalBytes)} aria-label={t('reading', values)} />
        <span className="quiet small">{t('reading', values)}</span>
      </div>
    );
  }
  return <p className="reading-state quiet small">{t('readAll')}</p>;
}
