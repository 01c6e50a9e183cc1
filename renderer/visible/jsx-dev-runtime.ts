/** The same as `jsx-runtime.ts`, for `npm run dev`. */
import type { ElementType, Key, ReactElement } from 'react';
import * as react from 'react/jsx-dev-runtime';
import { visibleProps } from './jsx-runtime.ts';

export { Fragment, type JSX } from 'react/jsx-dev-runtime';

type Props = Readonly<Record<string, unknown>>;

export const jsxDEV = (
  type: ElementType,
  props: Props,
  key: Key | undefined,
  isStatic: boolean,
  source?: react.JSXSource,
  self?: unknown,
): ReactElement => react.jsxDEV(type, visibleProps(props), key, isStatic, source, self);
