/** Labelled form fields: text, choice, several lines, and switches; label, hint and error belong to the input for assistive technology. */
import './field.css';
import { Switch } from '@base-ui/react/switch';
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import { classNames } from './class-names.ts';

interface FieldProps {
  label: string;
  /** Beside the label, such as the kind of value. */
  note?: string | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  /** Keeps the label for assistive technology only. */
  hideLabel?: boolean;
}

interface FieldFrameProps extends FieldProps {
  className?: string | undefined;
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ReactNode;
}

/** The frame of a field, for inputs of other kinds. */
export function Field({ label, note, hint, error, hideLabel, className, children }: FieldFrameProps) {
  const id = useId();
  const described = [note && `${id}-note`, hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={classNames('field', className)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : 'field-label'}>
        {label}
      </label>
      {note === undefined ? null : (
        <span className="field-note" id={`${id}-note`}>
          {note}
        </span>
      )}
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint ? (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
}

export function TextField({
  label,
  note,
  hint,
  error,
  hideLabel,
  className,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field label={label} note={note} hint={hint} error={error} hideLabel={hideLabel} className={className}>
      {(ids) => <input type="text" className="input" autoComplete="off" spellCheck={false} {...rest} {...ids} />}
    </Field>
  );
}

export function TextArea({
  label,
  note,
  hint,
  error,
  hideLabel,
  className,
  ...rest
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field label={label} note={note} hint={hint} error={error} hideLabel={hideLabel} className={className}>
      {(ids) => <textarea className="input" spellCheck={false} rows={6} {...rest} {...ids} />}
    </Field>
  );
}

export interface Choice<V extends string> {
  value: V;
  label: string;
  disabled?: boolean;
}

export function SelectField<V extends string>({
  label,
  note,
  hint,
  error,
  hideLabel,
  className,
  choices,
  value,
  onChoose,
  ...rest
}: FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange'> & {
    choices: readonly Choice<V>[];
    value: V;
    onChoose: (value: V) => void;
  }) {
  return (
    <Field label={label} note={note} hint={hint} error={error} hideLabel={hideLabel} className={className}>
      {(ids) => (
        <select className="input select" value={value} onChange={(event) => onChoose(event.target.value as V)} {...rest} {...ids}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} disabled={choice.disabled}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Checkbox({
  label,
  hint,
  checked,
  onCheck,
  disabled,
}: {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onCheck: (checked: boolean) => void;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <div className="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onCheck(event.target.checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint ? (
          <p className="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        ) : null}
      </div>
    </div>
  );
}

/** One of a few, each with a line of explanation. */
export function RadioCards<V extends string>({
  legend,
  hideLegend,
  choices,
  value,
  onChoose,
}: {
  legend: string;
  hideLegend?: boolean;
  choices: readonly (Choice<V> & { hint?: string })[];
  value: V;
  onChoose: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset className="radio-cards">
      <legend className={hideLegend ? 'visually-hidden' : 'field-label'}>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="radio-card">
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            disabled={choice.disabled}
            onChange={() => onChoose(choice.value)}
          />
          <span>
            <span className="radio-label">{choice.label}</span>
            {choice.hint ? <span className="field-hint">{choice.hint}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** A switch that takes effect at once. */
export function Toggle({
  label,
  on,
  onToggle,
  disabled,
  hideLabel,
}: {
  label: string;
  on: boolean;
  onToggle: (on: boolean) => void;
  disabled?: boolean;
  hideLabel?: boolean;
}) {
  const control = (
    <Switch.Root
      className="toggle"
      checked={on}
      onCheckedChange={onToggle}
      disabled={disabled}
      aria-label={hideLabel ? label : undefined}
    >
      <Switch.Thumb className="toggle-thumb" />
    </Switch.Root>
  );
  if (hideLabel) return control;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is the control
    <label className="toggle-row">
      {control}
      <span>{label}</span>
    </label>
  );
}
