/** A switch that takes effect at once. */
import './toggle.css';
import { Switch } from '@base-ui/react/switch';

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
