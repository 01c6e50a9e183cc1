/** Where a file is to go: the server, the tool, the place in its arguments, and the arguments beside it. */

import { Combobox } from '@base-ui/react/combobox';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import type { UpstreamToolView, UpstreamView } from '../../../../shared/contract/upstreams.ts';
import { visibleName, visibleText } from '../../../../shared/lib/visible-text.ts';
import { useAnswer } from '../../../api/use-client.ts';
import { Button } from '../../../ui/button.tsx';
import { Badge, Loaded } from '../../../ui/feedback.tsx';
import { Checkbox, Field, SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { formatCount } from '../../../ui/format.ts';
import { ChevronsUpDown } from '../../../ui/icons/icons.tsx';
import type { SendTarget } from '../../../ui/path-links.ts';
import { t } from '../preview-texts.ts';
import { ownMember, sources, withChoice, withFixed, withNumber } from './mapping.ts';
import { isKeyName } from './same-meaning.ts';
import { argumentKind, openColumns, type Parameter, type SendingState, suggestions } from './use-sending.ts';

const toolEvents = ['upstreams.changed'] as const;

export function TargetForm({ servers, sending }: { servers: readonly UpstreamView[]; sending: SendingState }) {
  const { target, choose } = sending;
  const server = servers.find(({ name, enabled }) => enabled && name === target?.server);
  const offered = servers.filter(({ enabled }) => enabled);
  const only = offered.length === 1 ? offered[0] : undefined;
  // A single server needs no choice; one that is gone is none.
  useEffect(() => {
    if (server === undefined && (only !== undefined || target !== undefined)) {
      choose(only === undefined ? undefined : { server: only.name, tool: '', dataKey: undefined });
    }
  });
  return (
    <div className="target-form">
      <SelectField
        label={t('server')}
        value={server?.name ?? ''}
        choices={[
          ...(server ? [] : [{ value: '', label: t('chooseServer') }]),
          ...servers.map(({ name, enabled }) => ({
            value: name,
            label: enabled ? name : t('serverOff', { name }),
            disabled: !enabled,
          })),
        ]}
        onChoose={(name) => choose(name === '' ? undefined : { server: name, tool: '', dataKey: undefined })}
      />
      {server && target ? <ToolPart key={server.name} target={target} sending={sending} /> : null}
    </div>
  );
}

function ToolPart({ target, sending }: { target: SendTarget; sending: SendingState }) {
  const tools = useAnswer('upstreams.tools', { name: target.server }, toolEvents);
  const tool = tools.value?.find(({ name, enabled }) => enabled && name === target.tool);
  const { choose, knowTool } = sending;
  useEffect(() => knowTool(tool), [tool, knowTool]);
  return (
    <Loaded answer={tools} lines={2}>
      {(list) => (
        <>
          <ToolPicker
            tools={list}
            chosen={tool}
            onChoose={({ name }) => choose({ server: target.server, tool: name, dataKey: undefined })}
          />
          {tool ? (
            <>
              {tool.description ? (
                <p className="quiet small send-description">{visibleText(tool.description, { keepLines: true })}</p>
              ) : null}
              <Arguments sending={sending} required />
              <PlaceField target={target} dataKeys={tool.dataKeys} sending={sending} />
              {sending.fields ? (
                <Columns
                  key={JSON.stringify([tool.name, sending.fields.columns])}
                  fields={sending.fields}
                  map={sending.map}
                  records={sending.bound?.recordsShown?.of ?? 1}
                />
              ) : null}
              <Arguments sending={sending} required={false} />
            </>
          ) : null}
        </>
      )}
    </Loaded>
  );
}

const INSIDE_ITEM = /(?<!\\)\[\d+\]/;

function PlaceField({ target, dataKeys, sending }: { target: SendTarget; dataKeys: readonly string[]; sending: SendingState }) {
  const { bound, choose } = sending;
  const found = target.dataKey === undefined ? bound?.dataKey : undefined;
  // A place inside of one item of a list is for what an agent writes itself.
  const whole = dataKeys.filter((key) => !INSIDE_ITEM.test(key));
  const places = [
    ...new Set([
      ...(whole.length === 0 ? dataKeys : whole),
      ...(bound?.candidates ?? []),
      ...(target.dataKey === undefined ? [] : [target.dataKey]),
    ]),
  ];
  return (
    <SelectField
      label={t('place')}
      hint={t('placeHint')}
      value={target.dataKey ?? ''}
      choices={[
        { value: '', label: found ? t('automaticType', { type: found }) : t('automatic') },
        ...places.map((place) => ({ value: place, label: place })),
      ]}
      onChoose={(place) => choose({ ...target, dataKey: place === '' ? undefined : place })}
    />
  );
}

/** Among the columns of a file, of which none has this name: a text that every record gets. */
const FIXED = '\0';
/** The same for the number of each record. */
const NUMBER = '\0\0';

const typeNames = { text: 'typeText', number: 'typeNumber', integer: 'typeInteger', truth: 'typeTruth' } as const;

/** What kind of value a field takes, in words. */
function typeWords(parameter: Parameter): string | undefined {
  const kind = argumentKind(parameter);
  if (kind !== 'json') return t(typeNames[kind]);
  return parameter.type === '' || parameter.type === 'any' ? undefined : visibleText(parameter.type);
}

/** Marks a part of the form, so that `leadTo` finds it. */
const partOf = (name: string) => ({ 'data-send-field': name });

/** Brings the field of a column or an argument into view, with the focus in it: of several, in the one that is wrong, or in the last. */
export function leadTo(name: string): void {
  const fields = [
    ...document.querySelectorAll<HTMLElement>(`[data-send-field="${CSS.escape(name)}"] :is(select, input, textarea)`),
  ];
  const field = fields.find((each) => each.getAttribute('aria-invalid') === 'true') ?? fields.at(-1);
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: 'center' });
}

/** So many columns that a tool can do without, and that nothing goes into, are folded. */
const FOLDED_FROM = 3;

/** The tool's columns, each with the column of the file or the text that goes into it. */
function Columns({
  fields,
  map,
  records,
}: {
  fields: NonNullable<SendingState['fields']>;
  map: SendingState['map'];
  records: number;
}) {
  const { columns, wanted, mapping, fixed } = fields;
  const open = openColumns(fields);
  const suggested = suggestions(fields);
  const names = wanted.map(({ name }) => name);
  const from = sources(mapping, columns, names);
  const used = new Set(from.values());
  const left = columns.filter((column) => !used.has(column)).length;
  // Those that are left free at first stay in one place while they are filled in.
  const [folded] = useState(() => {
    const free = wanted.filter(
      ({ name, required }) =>
        !required &&
        !from.get(name) &&
        ownMember(mapping.fixed, name) === undefined &&
        !mapping.numbered.includes(name) &&
        !suggested.some(([each]) => each === name),
    );
    return new Set(free.length < FOLDED_FROM ? [] : free.map(({ name }) => name));
  });
  const fieldOf = (parameter: (typeof wanted)[number]) => {
    const { name, required } = parameter;
    const chosen = from.get(name) ?? null;
    const typed = ownMember(mapping.fixed, name);
    const numbered = mapping.numbered.includes(name);
    const fault = fixed.faults.get(name);
    const near = new Map(suggested).get(name);
    const canNumber = parameter.type.split(' or ').some((type) => ['', 'any', 'string', 'integer', 'number'].includes(type));
    const choose = (choice: string) => {
      if (choice === FIXED) map(withFixed(mapping, name, ''));
      else if (choice === NUMBER) map(withNumber(mapping, name));
      else map(withChoice(mapping, name, choice === '' ? null : choice));
    };
    return (
      <div key={name} className="column-field" {...partOf(name)}>
        <SelectField
          label={required ? visibleText(name) : t('optional', { name: visibleText(name) })}
          note={typeWords(parameter)}
          hint={open.includes(name) && typed === undefined ? t('needed') : undefined}
          value={numbered ? NUMBER : typed === undefined ? (chosen ?? '') : FIXED}
          choices={[
            { value: '', label: t('noColumn') },
            ...columns.map((each) => ({ value: each, label: visibleText(each) })),
            ...(canNumber ? [{ value: NUMBER, label: t('numbered') }] : []),
            { value: FIXED, label: t('fixed') },
          ]}
          onChoose={choose}
        />
        {typed === undefined ? null : (
          <ValueField
            parameter={parameter}
            label={t('fixedOf', { name: visibleText(name) })}
            hideLabel
            placeholder={t('fixedHint')}
            hint={open.includes(name) ? t('needed') : undefined}
            error={fault ? t(fault) : undefined}
            value={typed}
            onType={(text) => map(withFixed(mapping, name, text))}
          />
        )}
        {typed?.trim() && canNumber && records > 1 && isKeyName(name) ? (
          <p className="field-hint">{t('sameKey', { count: records, shown: formatCount(records) })}</p>
        ) : null}
        {near === undefined ? null : (
          <Button size="small" onClick={() => map(withChoice(mapping, name, near))}>
            {t('takeColumn', { name: visibleText(near) })}
          </Button>
        )}
      </div>
    );
  };
  return (
    <fieldset className="column-fields">
      <legend className="field-label">{t('columnsInto')}</legend>
      {suggested.length > 1 ? (
        <Button
          size="small"
          className="take-all"
          onClick={() => map(suggested.reduce((next, [name, column]) => withChoice(next, name, column), mapping))}
        >
          {`${t('takeAll')}: ${suggested.map(([name, column]) => `${visibleText(name)} ← ${visibleText(column)}`).join(', ')}`}
        </Button>
      ) : null}
      {wanted.filter(({ name }) => !folded.has(name)).map(fieldOf)}
      {folded.size === 0 ? null : (
        <details>
          <summary>{t('moreColumns', { count: folded.size })}</summary>
          <div className="column-fields">{wanted.filter(({ name }) => folded.has(name)).map(fieldOf)}</div>
        </details>
      )}
      {left > 0 || mapping.onlyMapped ? (
        <Checkbox
          label={t('onlyMapped', { count: left })}
          checked={mapping.onlyMapped}
          onCheck={(onlyMapped) => map({ ...mapping, onlyMapped })}
        />
      ) : null}
    </fieldset>
  );
}

/** What is needed comes before the columns, what is not after them. */
function Arguments({ sending, required }: { sending: SendingState; required: boolean }) {
  const parameters = sending.parameters.filter((parameter) => parameter.required === required);
  if (parameters.length === 0) return null;
  return (
    <fieldset className="argument-fields">
      <legend className="field-label">{t(required ? 'argumentsNeeded' : 'arguments')}</legend>
      {parameters.map((parameter) => (
        <ArgumentField key={parameter.name} parameter={parameter} sending={sending} />
      ))}
    </fieldset>
  );
}

function ArgumentField({ parameter, sending: { typed, type, written, bound } }: { parameter: Parameter; sending: SendingState }) {
  const { name, required } = parameter;
  const value = ownMember(typed, name) ?? '';
  const fault = written.faults.get(name);
  const missing = value.trim() === '' && bound?.missingArguments.includes(name);
  return (
    <div {...partOf(name)}>
      <ValueField
        parameter={parameter}
        label={required ? visibleText(name) : t('optional', { name: visibleText(name) })}
        note={typeWords(parameter)}
        hint={missing ? t('needed') : undefined}
        error={fault ? t(fault) : undefined}
        value={value}
        onType={(text) => type(name, text)}
      />
    </div>
  );
}

/** A value, typed or chosen as its type needs it. */
function ValueField({
  parameter,
  value,
  onType,
  placeholder,
  ...field
}: {
  parameter: Parameter;
  label: string;
  note?: string | undefined;
  hideLabel?: boolean;
  hint?: string | undefined;
  error: string | undefined;
  placeholder?: string;
  value: string;
  onType: (text: string) => void;
}) {
  const kind = argumentKind(parameter);
  const typing = { ...field, value, onChange: (event: ChangeEvent<{ value: string }>) => onType(event.target.value) };
  switch (kind) {
    case 'truth':
      return (
        <SelectField
          {...field}
          value={value}
          choices={[
            { value: '', label: t('notGiven') },
            { value: 'true', label: t('yes') },
            { value: 'false', label: t('no') },
          ]}
          onChoose={onType}
        />
      );
    case 'json':
      return <TextArea {...typing} hint={[field.hint, t('asJson')].filter(Boolean).join('. ')} rows={3} />;
    default:
      return <TextField {...typing} placeholder={placeholder} inputMode={kind === 'text' ? undefined : 'decimal'} />;
  }
}

/** Those that may delete last, those that can take a file first. */
const bySuitability = (a: UpstreamToolView, b: UpstreamToolView) =>
  Number(a.destructive) - Number(b.destructive) ||
  Number(b.dataKeys.length > 0) - Number(a.dataKeys.length > 0) ||
  a.name.localeCompare(b.name);

/** Chooses one of a server's tools from the list, or by typing a part of the name. */
function ToolPicker({
  tools,
  chosen,
  onChoose,
}: {
  tools: readonly UpstreamToolView[];
  chosen: UpstreamToolView | undefined;
  onChoose: (tool: UpstreamToolView) => void;
}) {
  const offered = tools.filter(({ enabled }) => enabled).sort(bySuitability);
  const group = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <Combobox.Root
      items={offered}
      // Enter takes the first that fits what is typed.
      autoHighlight
      open={open}
      onOpenChange={setOpen}
      value={chosen ?? null}
      onValueChange={(tool) => (tool === null ? undefined : onChoose(tool))}
      itemToStringLabel={(tool) => visibleName(tool.name)}
      isItemEqualToValue={(item, value) => item.name === value.name}
      filter={(tool, query) => {
        const where = `${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase();
        return query
          .toLowerCase()
          .split(/\s+/)
          .every((word) => where.includes(word));
      }}
    >
      <Field label={t('tool')}>
        {(ids) => (
          <Combobox.InputGroup className="tool-input" ref={group}>
            <Combobox.Input {...ids} className="input" placeholder={t('searchTool')} spellCheck={false} />
            <Combobox.Trigger className="tool-trigger" aria-label={t('showTools')}>
              <ChevronsUpDown aria-hidden="true" />
            </Combobox.Trigger>
          </Combobox.InputGroup>
        )}
      </Field>
      {open ? (
        <Combobox.Portal container={group}>
          <Combobox.Positioner className="menu-place" sideOffset={6}>
            {/* Combobox.Popup would hide the page from screen readers while its buttons can still be reached by Tab; without it, nothing here closes by itself. */}
            <div className="menu tool-menu">
              <Combobox.Empty>
                <p className="quiet tool-none">{t('noSuchTool')}</p>
              </Combobox.Empty>
              <Combobox.List className="tool-list">
                {(tool: UpstreamToolView) => (
                  <Combobox.Item key={tool.name} value={tool} className="menu-item tool-item">
                    <span className="tool-name">
                      {visibleName(tool.name)} {tool.destructive ? <Badge tone="wait">{t('mayDelete')}</Badge> : null}
                    </span>
                    <span className="quiet small tool-note">
                      {tool.dataKeys.length === 0 ? t('takesNoFile') : visibleText(tool.description ?? '')}
                    </span>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </div>
          </Combobox.Positioner>
        </Combobox.Portal>
      ) : null}
    </Combobox.Root>
  );
}
