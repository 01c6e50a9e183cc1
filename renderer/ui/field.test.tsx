// @vitest-environment happy-dom

import { afterEach, describe, expect, it, vi } from 'vitest';
import { Checkbox, Field, RadioCards, SelectField, TextArea, TextField, Toggle } from './field.tsx';
import { cleanup, fireEvent, render, screen } from './fixtures/testing-library.ts';

afterEach(cleanup);

const choices = [
  { value: 'read', label: 'Read', hint: 'Files stay as they are' },
  { value: 'write', label: 'Write' },
  { value: 'none', label: 'None', disabled: true },
] as const;

/** What assistive technology reads with a control. */
const description = (control: HTMLElement) =>
  (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent);

describe.each([
  [
    'Field',
    <Field key="field" label="Name" hint="Letters" error="It exists">
      {(ids) => <input {...ids} />}
    </Field>,
  ],
  ['TextField', <TextField key="text" label="Name" hint="Letters" error="It exists" />],
  ['TextArea', <TextArea key="area" label="Name" hint="Letters" error="It exists" />],
  [
    'SelectField',
    <SelectField
      key="select"
      label="Name"
      hint="Letters"
      error="It exists"
      choices={choices}
      value="read"
      onChoose={() => undefined}
    />,
  ],
])('%s', (_, field) => {
  it('has its label, hint and error for assistive technology', () => {
    render(field);
    const control = screen.getByLabelText('Name');
    expect(description(control)).toEqual(['Letters', 'It exists']);
    expect(control.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('alert').textContent).toBe('It exists');
  });
});

it('TextField keeps a hidden label for assistive technology', () => {
  render(<TextField label="Path" hideLabel />);
  expect(screen.getByLabelText('Path').getAttribute('aria-invalid')).toBe(null);
  expect(screen.getByText('Path').className).toBe('visually-hidden');
});

it('SelectField gives the chosen value, and offers no disabled one', () => {
  const choose = vi.fn();
  render(<SelectField label="Access" choices={choices} value="read" onChoose={choose} />);
  fireEvent.change(screen.getByLabelText('Access'), { target: { value: 'write' } });
  expect(choose).toHaveBeenCalledWith('write');
  expect(screen.getByRole<HTMLOptionElement>('option', { name: 'None' }).disabled).toBe(true);
});

it('Checkbox gives its new state, and reads its hint', () => {
  const check = vi.fn();
  render(<Checkbox label="Start at login" hint="In the tray" checked={false} onCheck={check} />);
  const box = screen.getByRole('checkbox', { name: 'Start at login' });
  fireEvent.click(box);
  expect(check).toHaveBeenCalledWith(true);
  expect(description(box)).toEqual(['In the tray']);
});

it('RadioCards are a named group of which one is chosen', () => {
  const choose = vi.fn();
  render(<RadioCards legend="Access" choices={choices} value="read" onChoose={choose} />);
  expect(screen.getByRole('group', { name: 'Access' })).toBeTruthy();
  expect(screen.getAllByRole<HTMLInputElement>('radio').map(({ checked }) => checked)).toEqual([true, false, false]);
  fireEvent.click(screen.getByRole('radio', { name: 'Write' }));
  expect(choose).toHaveBeenCalledWith('write');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'None' }).disabled).toBe(true);
});

describe('Toggle', () => {
  it.each([false, true])('is a switch that gives its new state (label hidden: %s)', (hideLabel) => {
    const toggle = vi.fn();
    render(<Toggle label="Enabled" on={false} onToggle={toggle} hideLabel={hideLabel} />);
    const control = screen.getByRole('switch', { name: 'Enabled' });
    expect(control.getAttribute('aria-checked')).toBe('false');
    fireEvent.click(control);
    expect(toggle.mock.calls[0]?.[0]).toBe(true);
  });

  it('does nothing while disabled', () => {
    const toggle = vi.fn();
    render(<Toggle label="Enabled" on onToggle={toggle} disabled />);
    fireEvent.click(screen.getByRole('switch'));
    expect(toggle).not.toHaveBeenCalled();
  });
});
