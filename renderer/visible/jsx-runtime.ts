/** React's JSX runtime for the pages: every text of every element becomes visible on its way to React. */
import type { ElementType, Key, ReactElement, ReactNode } from 'react';
import * as react from 'react/jsx-runtime';
import { pageText } from '../../shared/lib/visible-text.ts';

export { Fragment, type JSX } from 'react/jsx-runtime';

type Props = Readonly<Record<string, unknown>>;

export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement => react.jsx(type, visibleProps(props), key);
export const jsxs = (type: ElementType, props: Props, key?: Key): ReactElement => react.jsxs(type, visibleProps(props), key);

/** Text that stays as it is: a file's own content, where a page shows it as data. */
export const asItIs = (text: string): ReactNode => react.jsx(react.Fragment, { children: text });

/** Properties that a person reads or hears. What can be edited (`value`) stays as it is. */
const READ = ['title', 'alt', 'placeholder', 'label', 'aria-label', 'aria-description', 'aria-valuetext', 'aria-roledescription'];

/** Makes the texts among an element's properties visible, so that no page has to remember it for a name. */
export function visibleProps(props: Props): Props {
  let made: Record<string, unknown> | undefined;
  const children = visibleChildren(props.children);
  if (children !== props.children) made = { ...props, children };
  for (const name of READ) {
    const value = props[name];
    if (typeof value !== 'string') continue;
    const text = pageText(value);
    if (text !== value) made = { ...(made ?? props), [name]: text };
  }
  return made ?? props;
}

function visibleChildren(children: unknown): unknown {
  if (typeof children === 'string') return pageText(children);
  if (!Array.isArray(children)) return children;
  const visible = children.map(visibleChildren);
  return visible.some((child, index) => child !== children[index]) ? visible : children;
}
