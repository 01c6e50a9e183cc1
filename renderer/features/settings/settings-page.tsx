/** Settings: what belongs to no other page. Each change is saved as it is made. */
import type { Settings, SettingsChanges } from '../../../shared/contract/settings.ts';
import './settings.css';
import { useEffect, useRef, useState } from 'react';
import { appearances, languages, type Price } from '../../../shared/model/config.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Loaded, Trouble, useToast } from '../../ui/feedback.tsx';
import { SelectField, TextField, Toggle } from '../../ui/field.tsx';
import { modelName } from '../../ui/format.ts';
import { Page, Row, Rows, Section } from '../../ui/page.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { usePlacePicker } from '../../ui/place-picker.tsx';
import { NumberSetting } from './number-setting.tsx';
import { About, ResetSettings } from './reset-settings.tsx';
import { t } from './settings-texts.ts';

/** Props of the sections. */
interface SettingsPart {
  settings: Settings;
  save(changes: SettingsChanges): Promise<unknown>;
}

const nothing = {};
const events = ['settings.changed'] as const;

/** Whether the advanced settings are unfolded: as they were left. */
let isUnfolded = false;

/** `part`: `advanced` where a page leads to one of those. */
export function SettingsPage({ params: { part } }: { params: { part?: string | undefined } }) {
  const settings = useAnswer('settings.get', nothing, events);
  const [open, setOpen] = useState(isUnfolded || part === 'advanced');
  const update = useCommand('settings.update');
  const save = async (changes: SettingsChanges) => {
    const saved = await update.run({ changes });
    await settings.refresh();
    return saved;
  };
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Trouble error={update.error} />
      <Loaded answer={settings} lines={8}>
        {(value) => (
          <>
            <GeneralSettings settings={value} save={save} />
            <ToolsSettings settings={value} save={save} />
            <details
              className="settings-advanced"
              open={open}
              onToggle={({ currentTarget }) => {
                isUnfolded = currentTarget.open;
                setOpen(isUnfolded);
              }}
            >
              <summary>
                {t('advanced')}
                <span className="quiet small">{t('advancedNote')}</span>
              </summary>
              <PriceSettings settings={value} save={save} />
              <ConnectionSettings settings={value} save={save} />
              <NetworkSettings settings={value} save={save} />
              <AnswersSettings settings={value} save={save} />
              <LimitSettings settings={value} save={save} />
              <ResetSettings />
            </details>
            <About />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Where long or asked-for answers are stored, and for how long. */
function AnswersSettings({ settings, save }: SettingsPart) {
  const { responses, defaultResponsesFolder } = settings;
  const { pick, picker } = usePlacePicker('folder');
  const choose = async () => {
    const folder = await pick();
    if (folder !== null) await save({ responses: { folder } });
  };
  return (
    <Section title={t('answers')}>
      <div className="settings-folder">
        <div>
          <h3>{t('answersFolder')}</h3>
          <p className="path">{responses.folder ?? t('answersDefault', { path: defaultResponsesFolder })}</p>
        </div>
        <Button size="small" onClick={() => void choose()}>
          {t('chooseFolder')}
        </Button>
        {responses.folder === null ? null : (
          <Button size="small" look="quiet" onClick={() => void save({ responses: { folder: null } })}>
            {t('useDefault')}
          </Button>
        )}
      </div>
      <div className="settings-grid">
        <NumberSetting
          label={t('spillOver')}
          hint={t('spillOverNote')}
          unit={t('tokensUnit')}
          value={responses.spillOverTokens}
          min={100}
          max={1_000_000}
          onSave={(spillOverTokens) => save({ responses: { spillOverTokens } })}
        />
        <NumberSetting
          label={t('keepDays')}
          hint={t('keepDaysNote')}
          unit={t('days')}
          value={responses.keepDays}
          min={1}
          max={3650}
          onSave={(keepDays) => save({ responses: { keepDays } })}
        />
      </div>
      {picker}
    </Section>
  );
}

/** Where agents connect, and the tokens that let them in. */
function ConnectionSettings({ settings, save }: SettingsPart) {
  const rotate = useCommand('tokens.rotate');
  const toast = useToast();
  const [renewing, setRenewing] = useState<string>();
  const renew = async () => {
    if (renewing === undefined) return;
    if (await rotate.run({ client: renewing })) toast(t('renewed'));
    setRenewing(undefined);
  };
  return (
    <Section title={t('server')}>
      <div className="settings-grid">
        <NumberSetting
          label={t('port')}
          hint={t('portNote')}
          unit=""
          value={settings.port}
          min={0}
          max={65535}
          onSave={(port) => save({ port })}
        />
      </div>
      <h3 className="settings-part">{t('tokens')}</h3>
      <p className="quiet small">{t('tokensNote')}</p>
      <Rows label={t('tokens')}>
        {settings.tokens.map(({ client, shown }) => (
          <Row
            key={client}
            title={client}
            detail={<code>{shown}</code>}
            actions={
              <Button size="small" onClick={() => setRenewing(client)} aria-label={`${t('renew')}: ${client}`}>
                {t('renew')}
              </Button>
            }
          />
        ))}
      </Rows>
      <Trouble error={rotate.error} />
      <Confirm
        open={renewing !== undefined}
        onClose={() => setRenewing(undefined)}
        onConfirm={() => void renew()}
        busy={rotate.busy}
        title={t('renewTitle', { client: renewing ?? '' })}
        action={t('renew')}
      >
        {t('renewText')}
      </Confirm>
    </Section>
  );
}

/** Whose certificates are trusted, beside the authorities that every computer knows. */
function NetworkSettings({ settings, save }: SettingsPart) {
  const { certificates } = settings.network;
  const { pick, picker } = usePlacePicker('file');
  const keep = (files: readonly string[]) => save({ network: { certificates: [...new Set(files)] } });
  const add = async () => {
    const file = await pick();
    if (file !== null) await keep([...certificates, file]);
  };
  return (
    <Section title={t('network')}>
      <h3>{t('certificates')}</h3>
      <p className="quiet small">{t('certificatesNote')}</p>
      {certificates.length === 0 ? null : (
        <Rows label={t('certificates')}>
          {certificates.map((file) => (
            <Row
              key={file}
              title={<PathText path={file} />}
              actions={
                <Button
                  size="small"
                  onClick={() => void keep(certificates.filter((other) => other !== file))}
                  aria-label={`${t('removeCertificate')}: ${file}`}
                >
                  {t('removeCertificate')}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <Button size="small" className="settings-add" onClick={() => void add()}>
        {t('addCertificate')}
      </Button>
      {picker}
    </Section>
  );
}

const never = [] as const;

/** Language, appearance, start at login, notifications. */
function GeneralSettings({ settings, save }: SettingsPart) {
  const host = useAnswer('host.get', nothing, never);
  const setStart = useCommand('settings.setStartAtLogin');
  const { app } = settings;
  return (
    <Section title={t('general')}>
      <div className="settings-grid">
        <SelectField
          label={t('language')}
          value={app.language}
          choices={languages.map((value) => ({ value, label: t(value) }))}
          onChoose={(language) => void save({ app: { language } })}
        />
        <SelectField
          label={t('appearance')}
          value={app.appearance}
          choices={appearances.map((value) => ({ value, label: t(value) }))}
          onChoose={(appearance) => void save({ app: { appearance } })}
        />
      </div>
      {host.value?.kind === 'desktop' ? (
        <div className="settings-toggles">
          {host.value.canStartAtLogin ? (
            <Toggle
              label={t('startAtLogin')}
              on={settings.startAtLogin}
              disabled={setStart.busy}
              onToggle={(enabled) => void setStart.run({ enabled })}
            />
          ) : null}
          <Toggle
            label={t('notifications')}
            on={app.notifications}
            onToggle={(notifications) => void save({ app: { notifications } })}
          />
          <Trouble error={setStart.error} />
        </div>
      ) : null}
    </Section>
  );
}

const MIB = 1024 * 1024;
const SECOND = 1000;

/** The setting, how many of its units make one shown, and the least and most that can be entered. */
const limits = [
  { name: 'maxStreamedFileBytes', unit: 'mib', scale: MIB, min: 1, max: 1_048_576 },
  { name: 'maxFileBytes', unit: 'mib', scale: MIB, min: 1, max: 512 },
  { name: 'diskTimeoutMs', unit: 'seconds', scale: SECOND, min: 1, max: 600 },
  { name: 'callTimeoutMs', unit: 'seconds', scale: SECOND, min: 1, max: 86_400 },
  { name: 'approvalTimeoutMs', unit: 'seconds', scale: SECOND, min: 5, max: 3_600 },
  { name: 'upstreamIdleMs', unit: 'seconds', scale: SECOND, min: 5, max: 86_400 },
  { name: 'maxAnswerBytes', unit: 'mib', scale: MIB, min: 1, max: 400 },
  { name: 'maxColumns', unit: 'columns', scale: 1, min: 1, max: 10_000_000 },
  { name: 'maxNesting', unit: 'levels', scale: 1, min: 1, max: 512 },
  { name: 'expressionTimeoutMs', unit: 'seconds', scale: SECOND, min: 1, max: 600 },
  { name: 'expressionMemoryBytes', unit: 'mib', scale: MIB, min: 16, max: 16_384 },
] as const;

/** The bounds of files, calls and waits. */
function LimitSettings({ settings, save }: SettingsPart) {
  return (
    <Section title={t('limits')} note={t('limitsNote')}>
      <div className="settings-grid">
        {limits.map(({ name, unit, scale, min, max }) => (
          <NumberSetting
            key={name}
            label={t(name)}
            unit={t(unit)}
            value={settings.limits[name]}
            scale={scale}
            min={min}
            max={max}
            onSave={(value) => save({ limits: { [name]: value } })}
          />
        ))}
      </div>
    </Section>
  );
}

const MOST_DOLLARS = 10_000;

/** Settings for a model's prices, used to convert saved tokens to money. */
function PriceSettings({ settings, save }: SettingsPart) {
  const { price } = settings.app;
  const shown = modelName(price.model);
  const [model, setModel] = useState(shown);
  useEffect(() => setModel(shown), [shown]);
  const current = useCommand('settings.get');
  const last = useRef<Promise<unknown>>(Promise.resolve());
  // The price is replaced as a whole: one change after the other, each upon what the one before has left.
  const savePrice = (change: Partial<Price>) => {
    const saved = last.current.then(async () => {
      const now = await current.run({});
      return now && save({ app: { price: { ...now.app.price, ...change } } });
    });
    last.current = saved;
    return saved;
  };
  const saveModel = () => {
    const name = model.trim();
    if (name === '') setModel(shown);
    else if (name !== shown) void savePrice({ model: name });
  };
  return (
    <Section title={t('price')} note={t('priceNote')}>
      <Trouble error={current.error} />
      <div className="settings-grid settings-grid-three">
        <TextField
          label={t('model')}
          value={model}
          onChange={(event) => setModel(event.target.value)}
          onBlur={saveModel}
          onKeyDown={(event) => (event.key === 'Enter' ? saveModel() : undefined)}
        />
        {(['output', 'input'] as const).map((kind) => (
          <NumberSetting
            key={kind}
            label={t(kind)}
            unit="$"
            value={price[kind]}
            min={0}
            max={MOST_DOLLARS}
            decimals
            onSave={(value) => savePrice({ [kind]: value })}
          />
        ))}
      </div>
    </Section>
  );
}

const ways = ['companions', 'search', 'none'] as const;

/** Which tools agents are offered: the servers', and Filebridge's own for files. */
function ToolsSettings({ settings, save }: SettingsPart) {
  const { upstreamTools, fileTools } = settings.expose;
  return (
    <Section title={t('tools')}>
      <SelectField
        label={t('upstreamTools')}
        hint={t(`${upstreamTools}Note`)}
        value={upstreamTools}
        choices={ways.map((value) => ({ value, label: t(value) }))}
        onChoose={(chosen) => void save({ expose: { upstreamTools: chosen } })}
      />
      <div className="settings-toggles">
        <div>
          <Toggle label={t('fileTools')} on={fileTools} onToggle={(on) => void save({ expose: { fileTools: on } })} />
          <p className="quiet small">{t('fileToolsNote')}</p>
        </div>
      </div>
    </Section>
  );
}
