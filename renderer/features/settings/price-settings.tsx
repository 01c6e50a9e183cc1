/** What a model charges, for turning saved tokens into money. */
import { useEffect, useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { NumberSetting } from './number-setting.tsx';
import type { SettingsPart } from './settings-page.tsx';
import { t } from './settings-texts.ts';

const MOST_DOLLARS = 10_000;

export function PriceSettings({ settings, save }: SettingsPart) {
  const { price } = settings.app;
  const [model, setModel] = useState(price.model);
  useEffect(() => setModel(price.model), [price.model]);
  const saveModel = () => {
    const name = model.trim();
    if (name === '') setModel(price.model);
    else if (name !== price.model) void save({ app: { price: { ...price, model: name } } });
  };
  return (
    <Section title={t('price')} note={t('priceNote')}>
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
            onSave={(value) => save({ app: { price: { ...price, [kind]: value } } })}
          />
        ))}
      </div>
    </Section>
  );
}
