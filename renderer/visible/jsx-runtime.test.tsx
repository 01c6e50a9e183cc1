import { isValidElement, type ReactElement } from 'react';
import { expect, it } from 'vitest';
import { asItIs } from './jsx-runtime.ts';

const propsOf = (element: ReactElement) => element.props as Record<string, unknown>;
const name = 'a\u202E\u200Bb';
const seen = 'a⟨U+202E⟩⟨U+200B⟩b';
const Named = (props: { label: string; children?: string[] }) => <b>{props.label}</b>;

it('makes every text of an element visible, wherever a page puts it', () => {
  expect(propsOf(<b>{name}</b>).children).toBe(seen);
  expect(propsOf(<b>on {name}</b>).children).toEqual(['on ', seen]);
  expect(propsOf(<b>{[name, 'c']}</b>).children).toEqual([seen, 'c']);
  expect(propsOf(<img alt={name} title={name} aria-label={name} />)).toMatchObject({
    alt: seen,
    title: seen,
    'aria-label': seen,
  });
  expect(propsOf(<input placeholder={name} />).placeholder).toBe(seen);
  expect(propsOf(<Named label={name} />).label).toBe(seen);
});

it('leaves what can be edited, what is called by its name, and elements', () => {
  const inner = <i>x</i>;
  expect(propsOf(<option value={name}>{name}</option>)).toEqual({ value: name, children: seen });
  expect(propsOf(<input defaultValue={name} />).defaultValue).toBe(name);
  expect(propsOf(<b>{inner}</b>).children).toBe(inner);
});

it('leaves a file’s content that is marked as such', () => {
  const kept = propsOf(<b>{asItIs(name)}</b>).children;
  expect(isValidElement(kept) && propsOf(kept as ReactElement).children).toBe(name);
});
