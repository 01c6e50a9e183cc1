/** Makes the texts among an element's properties visible, so that no page has to remember it for a name. */
import { pageText } from '../../shared/lib/visible-text.ts';

/** Properties that a person reads or hears. What can be edited (`value`) stays as it is. */
const READ = ['title', 'alt', 'placeholder', 'label', 'aria-label', 'aria-description', 'aria-valuetext', 'aria-roledescription'];

type Props = Readonly<Record<string, unknown>>;

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
