/** How a file is read, where a person knows better than what was detected. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { type ConversionOptions, type ConversionReport, documentParts } from '../../../shared/model/conversion.ts';
import {
  type AsMode,
  type Format,
  formatByExtension,
  formats,
  formsTaken,
  isDocument,
  type OptionOfTables,
  optionsOfTables,
  optionsTaken,
  type ReadingOption,
} from '../../../shared/model/formats.ts';
import { optionWords } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/code-block.tsx';
import { Checkbox, type Choice, SelectField, TextField } from '../../ui/field.tsx';
import { formatList } from '../../ui/format.ts';
import { delimiterName, usualDelimiters } from './delimiters.ts';
import { formatName } from './file-facts.tsx';
import { t } from './preview-texts.ts';

const encodings = [
  'utf-8',
  'windows-1252',
  'iso-8859-15',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'macintosh',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
];

const characters = ['quote', 'escape', 'comment'] as const;
const usualCharacters = { quote: ['"', "'"], escape: ['\\', '"'], comment: ['#', '//', '%'] } as const;

/** Those that few files need. */
const rareOptions = ['skip', ...characters, 'nulls', 'ragged', 'trim'] as const;

type AutoOr<V extends string> = V | 'auto';

/** Options without those that stand for what is detected. */
export function tidy(options: ConversionOptions): ConversionOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== 'auto'));
}

/** Options that mean nothing without a table. */
export const withoutTable = Object.fromEntries(optionsOfTables.map((name) => [name, undefined]));

/** Of a file that could not be read yet. */
export const formatByName = (path: string): Format | undefined =>
  formatByExtension.get(
    path
      .toLowerCase()
      .replace(/\.(?:gz|br|zst)$/, '')
      .replace(/^.*\./s, ''),
  );

/** The options in another form: without those that mean nothing in it. */
function passedOnAs(as: AsMode, options: ConversionOptions, format: Format | 'binary' | undefined): ConversionOptions {
  const kept: readonly string[] = ['format', ...(withRecords.has(as) ? ['transform'] : []), ...optionsTaken(format ?? null, as)];
  return tidy({ ...Object.fromEntries(Object.entries(options).filter(([name]) => kept.includes(name))), as });
}

const withRecords: ReadonlySet<AsMode> = new Set(['auto', 'json', 'csv', 'markdown']);

export function ReadingOptions({
  path,
  options,
  report,
  encodingWanted,
  forAgents,
  onForAgents,
  onChange,
}: {
  path: string;
  options: ConversionOptions;
  report: ConversionReport | null;
  /** A number that grows when the choice of an encoding is to be shown. */
  encodingWanted: number;
  /** Whether agents read it so. */
  forAgents: boolean;
  onForAgents: (isKept: boolean) => void;
  onChange: (options: ConversionOptions) => void;
}) {
  const change = (changes: ConversionOptions) => onChange(tidy({ ...options, ...changes }));
  const format = options.format ?? report?.format ?? formatByName(path);
  const taken = format === undefined ? [] : optionsTaken(format, options.as);
  const isText = isDocument(format ?? null);
  // Of a document, those of tables are for the table that is asked for.
  const takes = (option: ReadingOption) =>
    taken.includes(option) && (!isText || options.table !== undefined || !optionsOfTables.includes(option as OptionOfTables));
  const auto = (detected: string | null | undefined) => (detected ? t('automaticType', { type: detected }) : t('automatic'));
  const automatic = Object.keys(options).length === 0;
  const told = Object.entries(options).filter(isToldHere);
  const whole = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (encodingWanted === 0 || whole.current === null) return;
    whole.current.open = true;
    whole.current.querySelector<HTMLSelectElement>('.encoding-field select')?.focus();
  }, [encodingWanted]);

  return (
    <>
      {automatic ? null : (
        <div className="reading-choices">
          <Checkbox
            label={t('forAgents')}
            hint={t(forAgents ? 'forAgentsToo' : 'countsHere')}
            checked={forAgents}
            onCheck={onForAgents}
          />
          {told.length === 0 ? null : (
            <Button size="small" onClick={() => onChange({})}>
              {t('reset')}
            </Button>
          )}
          {forAgents ? null : (
            <CopyButton
              text={t('optionsSentence', { path, options: JSON.stringify(options) })}
              label={t('copyOptions')}
              name={t('howRead')}
            />
          )}
        </div>
      )}
      <details className="reading-options" ref={whole}>
        <summary>
          {t('howRead')}
          <span className="quiet small">
            {told.length === 0 ? t('allAutomatic') : t('changedByHand', { list: formatList(told.map(chosenOption)) })}
          </span>
        </summary>
        <div className="reading-fields">
          <SelectField<AutoOr<Format>>
            label={t('format')}
            value={options.format ?? 'auto'}
            choices={[
              { value: 'auto', label: auto(options.format === undefined && report ? formatName(report.format) : null) },
              ...formats.map((value) => ({ value, label: formatName(value) })),
            ]}
            // Columns and delimiter of one format mean nothing in another.
            onChoose={(value) =>
              onChange(tidy({ as: options.as, encoding: options.encoding, format: value === 'auto' ? undefined : value }))
            }
          />
          <SelectField<AsMode>
            label={t('treatAs')}
            value={options.as ?? 'auto'}
            choices={formsTaken(format ?? null, options.table !== undefined).map((value) => ({ value, label: t(`as_${value}`) }))}
            onChoose={(value) => onChange(passedOnAs(value, options, format))}
          />
          {takes('encoding') ? (
            <ChoiceOrOther
              className="encoding-field"
              label={t('encoding')}
              value={options.encoding}
              usual={encodings.map((value) => ({ value, label: value.toUpperCase() }))}
              automatic={auto(options.encoding === undefined ? report?.encoding?.toUpperCase() : null)}
              otherLabel={t('otherEncoding')}
              accepts={(text) => text.length > 0}
              onChoose={(encoding) => change({ encoding })}
            />
          ) : null}
          {report?.entries?.length ? <EntryField options={options} entries={report.entries} onChange={onChange} /> : null}
          {takes('pages') ? (
            <ChoiceOrOther
              label={t('pages')}
              value={options.pages}
              usual={[]}
              automatic={t('allPages')}
              otherLabel={t('pageNumbers')}
              accepts={(text) => text.length > 0}
              onChoose={(pages) => change({ pages })}
            />
          ) : null}
          {isText ? (
            <fieldset className="reading-checks">
              <legend>{t('include')}</legend>
              {documentParts.map((part) => (
                <Checkbox
                  key={part}
                  label={t(`include_${part}`)}
                  checked={options.include?.includes(part) === true}
                  onCheck={(isOn) => {
                    const include = documentParts.filter((each) => (each === part ? isOn : options.include?.includes(each)));
                    change({ include: include.length > 0 ? include : undefined });
                  }}
                />
              ))}
            </fieldset>
          ) : null}
          {takes('query') ? (
            <ChoiceOrOther
              label={t('query')}
              value={options.query}
              usual={[]}
              automatic={t('queryNone')}
              otherLabel={t('querySelect')}
              accepts={(text) => text.length > 0}
              onChoose={(query) =>
                change({ query, types: undefined, ...(query === undefined ? {} : { table: undefined, sheet: undefined }) })
              }
            />
          ) : null}
          {takes('range') ? (
            <ChoiceOrOther
              label={t('range')}
              value={options.range}
              usual={[]}
              automatic={t('rangeAll')}
              otherLabel={t('rangeCells')}
              accepts={(text) => text.length > 0}
              onChoose={(range) => change({ range, types: undefined })}
            />
          ) : null}
          {takes('delimiter') ? (
            <ChoiceOrOther
              label={t('delimiter')}
              value={options.delimiter}
              usual={usualDelimiters.map((value) => ({ value, label: delimiterName(value) }))}
              automatic={auto(options.delimiter === undefined && report?.delimiter ? delimiterName(report.delimiter) : null)}
              otherLabel={t('otherDelimiter')}
              accepts={(text) => text.length === 1}
              onChoose={(delimiter) => change({ delimiter, types: undefined })}
            />
          ) : null}
          {takes('types') ? <TypesField options={options} change={change} /> : null}
          {takes('header_row') ? (
            <ChoiceOrOther
              label={t('headerRow')}
              value={options.header_row?.toString()}
              usual={[]}
              automatic={t('automatic')}
              otherLabel={t('lineNumber')}
              accepts={(text) => /^[1-9]\d{0,14}$/.test(text)}
              onChoose={(line) =>
                change({ header_row: line === undefined ? undefined : Number(line), skip: undefined, types: undefined })
              }
            />
          ) : null}
          <div className="reading-checks">
            {takes('header') ? <HeaderCheck options={options} change={change} /> : null}
            {takes('decimal') ? (
              <Checkbox
                label={t('decimal')}
                checked={options.decimal === ','}
                onCheck={(comma) => change({ decimal: comma ? ',' : undefined })}
              />
            ) : null}
            {takes('dates') ? (
              <Checkbox
                label={t('dates')}
                checked={options.dates === 'iso'}
                onCheck={(iso) => change({ dates: iso ? 'iso' : undefined })}
              />
            ) : null}
          </div>
        </div>
        {rareOptions.some(takes) ? (
          <details className="reading-rare" open={rareOptions.some((name) => options[name] !== undefined)}>
            <summary>{t('rarelyNeeded')}</summary>
            <div className="reading-fields">
              {takes('skip') ? (
                <ChoiceOrOther
                  label={t('skipLines')}
                  value={options.skip?.toString()}
                  usual={[{ value: '0', label: t('skipNone') }]}
                  automatic={t('automatic')}
                  otherLabel={t('lineCount')}
                  accepts={(text) => /^\d{1,15}$/.test(text)}
                  onChoose={(lines) =>
                    change({ skip: lines === undefined ? undefined : Number(lines), header_row: undefined, types: undefined })
                  }
                />
              ) : null}
              {characters.filter(takes).map((name) => (
                <ChoiceOrOther
                  key={name}
                  label={t(name)}
                  value={options[name]}
                  usual={usualCharacters[name].map((value) => ({ value, label: value }))}
                  automatic={t('automatic')}
                  otherLabel={t(name)}
                  accepts={(text) => text.length > 0 && text.length <= (name === 'comment' ? 8 : 1)}
                  onChoose={(value) => change({ [name]: value, types: undefined })}
                />
              ))}
              {takes('nulls') ? (
                <ChoiceOrOther
                  label={t('nulls')}
                  value={options.nulls?.join(',')}
                  usual={['NA', 'NULL', '-'].map((value) => ({ value, label: value }))}
                  automatic={t('nullsNone')}
                  otherLabel={t('nullsList')}
                  accepts={(text) => text.length > 0}
                  onChoose={(list) => change({ nulls: list?.split(',') })}
                />
              ) : null}
              {takes('ragged') ? (
                <SelectField<'error' | 'keep' | 'cut'>
                  label={t('ragged')}
                  value={options.ragged ?? 'error'}
                  choices={(['error', 'keep', 'cut'] as const).map((value) => ({ value, label: t(`ragged_${value}`) }))}
                  onChoose={(value) => change({ ragged: value === 'error' ? undefined : value })}
                />
              ) : null}
              {takes('trim') ? (
                <Checkbox
                  label={t('trim')}
                  checked={options.trim === true}
                  onCheck={(trim) => change({ trim: trim ? true : undefined, types: undefined })}
                />
              ) : null}
            </div>
          </details>
        ) : null}
      </details>
    </>
  );
}

/** A list that was chosen is told above the table. */
const isToldHere = ([option]: [string, unknown]): boolean => option !== 'transform';

/** `Cells C2:D`: what was chosen, where it is short. */
const chosenOption = ([option, value]: [string, unknown]): string =>
  ['range', 'pages', 'header_row', 'skip', 'encoding', 'sheet', 'table'].includes(option)
    ? `${optionWords(option)} ${visibleName(String(value))}`
    : optionWords(option);

/** A list of the usual, and a field for what is not in it. */
function ChoiceOrOther({
  className,
  label,
  value,
  usual,
  automatic,
  otherLabel,
  accepts,
  onChoose,
}: {
  className?: string;
  label: string;
  value: string | undefined;
  usual: readonly Choice<string>[];
  automatic: string;
  otherLabel: string;
  accepts: (text: string) => boolean;
  onChoose: (value: string | undefined) => void;
}) {
  const unusual = value !== undefined && !usual.some((choice) => choice.value === value);
  const [other, setOther] = useState(unusual);
  const [typed, setTyped] = useState(unusual ? value : '');
  // Taken back or chosen elsewhere.
  useEffect(() => {
    if (value === undefined) setOther(false);
    else if (unusual) setTyped(value);
  }, [value, unusual]);
  const set = (event: FormEvent) => {
    event.preventDefault();
    if (accepts(typed.trim())) onChoose(typed.trim());
  };
  return (
    <div className={classNames('choice-or-other', className)}>
      <SelectField
        label={label}
        value={other || unusual ? 'other' : (value ?? 'auto')}
        choices={[{ value: 'auto', label: automatic }, ...usual, { value: 'other', label: t('other') }]}
        onChoose={(chosen) => {
          setOther(chosen === 'other');
          if (chosen !== 'other') onChoose(chosen === 'auto' ? undefined : chosen);
        }}
      />
      {other || unusual ? (
        <form onSubmit={set}>
          <TextField
            label={otherLabel}
            hideLabel
            placeholder={otherLabel}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit" disabled={!accepts(typed.trim())}>
            {t('use')}
          </Button>
        </form>
      ) : null}
    </div>
  );
}

interface PartProps {
  options: ConversionOptions;
  change: (changes: ConversionOptions) => void;
}

function TypesField({ options, change }: PartProps) {
  return (
    <SelectField<'auto' | 'string' | 'chosen'>
      label={t('types')}
      value={typeof options.types === 'object' ? 'chosen' : (options.types ?? 'auto')}
      choices={[
        { value: 'auto', label: t('typesAuto') },
        { value: 'string', label: t('typesText') },
        ...(typeof options.types === 'object' ? [{ value: 'chosen' as const, label: t('typesChosen') }] : []),
      ]}
      onChoose={(value) => (value === 'chosen' ? undefined : change({ types: value }))}
    />
  );
}

function HeaderCheck({ options, change }: PartProps) {
  return (
    <Checkbox
      label={t('header')}
      checked={options.header !== false}
      onCheck={(header) => change({ header: header ? undefined : false, types: undefined })}
    />
  );
}

/** Which file of an archive is read: none, which gives their list, or one by its name. */
function EntryField({
  options,
  entries,
  onChange,
}: {
  options: ConversionOptions;
  entries: readonly string[];
  onChange: (options: ConversionOptions) => void;
}) {
  return (
    <SelectField<string>
      label={t('entry')}
      value={options.entry ?? ''}
      choices={[{ value: '', label: t('entryList') }, ...entries.map((name) => ({ value: name, label: visibleName(name) }))]}
      // Other options belong to the file that was read before.
      onChoose={(entry) => onChange(entry === '' ? {} : { entry })}
    />
  );
}
