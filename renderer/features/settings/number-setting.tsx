/** A number that is saved when one leaves the field, if it is within its bounds. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { formatCount, formatDecimal } from '../../ui/format.ts';
import { t } from './settings-texts.ts';

export function NumberSetting({
  label,
  hint,
  unit,
  value,
  scale = 1,
  min,
  max,
  decimals = false,
  onSave,
}: {
  label: string;
  hint?: string;
  unit: string;
  /** In the program's own unit. */
  value: number;
  /** How many of the program's units make one of those shown. */
  scale?: number;
  /** Bounds in the unit shown. */
  min: number;
  max: number;
  decimals?: boolean;
  onSave: (value: number) => Promise<unknown>;
}) {
  const shown = formatDecimal(value / scale);
  const [text, setText] = useState(shown);
  const [wrong, setWrong] = useState(false);
  useEffect(() => setText(shown), [shown]);
  // Enter saves, and so does leaving the field just after it.
  const saving = useRef<string>(undefined);

  const save = async () => {
    if (text === shown) return setWrong(false);
    const number = Number(text.replace(',', '.'));
    const good = text.trim() !== '' && number >= min && number <= max && (decimals || Number.isInteger(number));
    setWrong(!good);
    if (!good || saving.current === text) return;
    saving.current = text;
    try {
      await onSave(decimals ? number * scale : Math.round(number * scale));
    } finally {
      saving.current = undefined;
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void save();
    if (event.key === 'Escape') {
      setText(shown);
      setWrong(false);
    }
  };
  return (
    <Field
      label={label}
      hint={hint}
      error={wrong ? t('number', { min: formatCount(min), max: formatCount(max) }) : undefined}
      className="number-setting"
    >
      {(ids) => (
        <span className="unit-input">
          <input
            className="input"
            inputMode={decimals ? 'decimal' : 'numeric'}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onBlur={() => void save()}
            onKeyDown={onKeyDown}
            {...ids}
          />
          <span className="quiet small">{unit}</span>
        </span>
      )}
    </Field>
  );
}
