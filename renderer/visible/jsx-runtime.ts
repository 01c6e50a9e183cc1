/** React's JSX runtime for the pages: every text of every element becomes visible on its way to React. */
import type { ElementType, Key, ReactElement, ReactNode } from 'react';
import * as react from 'react/jsx-runtime';
import { visibleProps } from './visible-props.ts';

export { Fragment, type JSX } from 'react/jsx-runtime';

type Props = Readonly<Record<string, unknown>>;

export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement => react.jsx(type, visibleProps(props), key);
export const jsxs = (type: ElementType, props: Props, key?: Key): ReactElement => react.jsxs(type, visibleProps(props), key);

/** Text that stays as it is: a file's own content, where a page shows it as data. */
export const asItIs = (text: string): ReactNode => react.jsx(react.Fragment, { children: text });
