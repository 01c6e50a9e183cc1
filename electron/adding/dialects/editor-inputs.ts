/** The `inputs` of VS Code's settings: what it asks the person for. */
import { isObject } from '../../agent-apps/plain.ts';
import { inputOf } from '../holes.ts';
import type { Input } from '../types.ts';

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

export function inputsOf(value: unknown): Input[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap((input) => {
    const id = text(input.id);
    if (id === null) return [];
    const choices = Array.isArray(input.options)
      ? input.options.flatMap((option) => text(isObject(option) ? option.value : option) ?? [])
      : [];
    const preset = text(input.default);
    return [
      inputOf({
        id,
        description: text(input.description),
        ...(typeof input.password === 'boolean' ? { secret: input.password } : {}),
        choices,
        preset,
      }),
    ];
  });
}
