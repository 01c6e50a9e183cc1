/** A file's format, size and conversion result, and how far it was read. */

import type { ReactNode } from 'react';
import type { PreviewView } from '../../../shared/contract/preview.ts';
import type { ConversionReport } from '../../../shared/model/conversion.ts';
import { words } from '../../i18n/texts.ts';
import { CopyButton } from '../../ui/code-block.tsx';
import { Callout, Placeholder } from '../../ui/feedback.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Facts, Section } from '../../ui/page.tsx';
import { t } from './preview-texts.ts';

export const usualDelimiters = [',', ';', '\t', '|'] as const;

const names = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' } as const;

/** A delimiter by its name. */
export const delimiterName = (delimiter: string): string =>
  delimiter in names ? t(names[delimiter as keyof typeof names]) : `“${delimiter}”`;

const compressions = { gzip: 'gzip', brotli: 'Brotli', zstd: 'Zstandard' };

export const formatName = (format: ConversionReport['format']): string =>
  format === 'text' || format === 'binary' ? t(`format_${format}`) : format.toUpperCase();

export function FileFacts({ view, children }: { view: PreviewView | undefined; children: ReactNode }) {
  return (
    <Section title={t('facts')} className="file-facts" actions={view ? <Reading view={view} /> : undefined}>
      {view?.report ? (
        <ReportFacts view={view} report={view.report} />
      ) : view ? (
        <SizeOnly view={view} />
      ) : (
        <Placeholder lines={4} />
      )}
      {view?.report && view.report.warnings.length > 0 ? (
        <Callout kind="warning" title={t('warnings', { count: view.report.warnings.length })}>
          <ul className="warnings">
            {view.report.warnings.map((warning) => (
              <li key={warning.code + warning.message}>{words(warning).message}</li>
            ))}
          </ul>
        </Callout>
      ) : null}
      {children}
    </Section>
  );
}

function ReportFacts({ view, report }: { view: PreviewView; report: ConversionReport }) {
  const { tokens, columns, delimiter, compression, encoding, kind } = report;
  const about = tokens.method === 'estimated' || view.state === 'reading' ? '≈ ' : '';
  const facts: (readonly [string, ReactNode])[] = [
    [t('format'), compression ? `${formatName(report.format)}, ${compressions[compression]}` : formatName(report.format)],
    ...(kind === 'array'
      ? ([[t('records'), formatCount(report.records)]] as const)
      : ([[t('kind'), t(`kind_${kind}`)]] as const)),
    ...(columns ? ([[t('columns'), formatCount(columns.length)]] as const) : []),
    [t('size'), formatBytes(view.totalBytes)],
    [t('jsonSize'), formatBytes(report.outputBytes)],
    ...(encoding ? ([[t('encoding'), encoding.toUpperCase()]] as const) : []),
    ...(delimiter ? ([[t('delimiter'), delimiterName(delimiter)]] as const) : []),
  ];
  return (
    <div className="report-facts">
      <p className="tokens-fact">
        <strong>
          {about}
          {formatCount(tokens.count)}
        </strong>
        <span className="quiet">{t('tokensFact')}</span>
      </p>
      <Facts facts={facts} />
    </div>
  );
}

function SizeOnly({ view }: { view: PreviewView }) {
  return <Facts facts={[[t('size'), formatBytes(view.totalBytes)]]} />;
}

/** One line beside the heading, whatever the state, so that nothing moves. */
function Reading({ view: { state, bytesRead, totalBytes, report } }: { view: PreviewView }) {
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
  const sha = report?.sha256 ?? '';
  return (
    <div className="reading-state">
      <span className="quiet small">{t('readAll')}</span>
      {sha === '' ? null : (
        <>
          <span className="quiet small path" title={sha}>
            SHA-256 {sha.slice(0, 12)}…
          </span>
          <CopyButton text={sha} name="SHA-256" look="quiet" />
        </>
      )}
    </div>
  );
}
