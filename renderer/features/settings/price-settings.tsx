/** Settings for a model's prices, used to convert saved tokens to money. */
import { useEffect, useRef, useState } from 'react';
import type { Price } from '../../../shared/model/config.ts';
import { useCommand } from '../../api/use-command.ts';
import { Trouble } from '../../ui/callout.tsx';
import { TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { NumberSetting } from './number-setting.tsx';
import type { SettingsPart } from './settings-part.ts';
import { t } from './settings-texts.ts';

const MOST_DOLLARS = 10_000;

export function PriceSettings({ settings, save }: SettingsPart) {
  const { price } = settings.app;
  const [model, setModel] = useState(price.model);
  useEffect(() => setModel(price.model), [price.model]);
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
    if (name === '') setModel(price.model);
    else if (name !== price.model) void savePrice({ model: name });
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
