/** Stories of a page's parts: frames, lists, notices and dialogs. */

import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Problem } from '../../shared/contract/status.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { AllowFile } from '../ui/allow-file.tsx';
import { AllowPath } from '../ui/allow-folder.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Callout, Toasts, Trouble, useToast } from '../ui/feedback.tsx';
import { Folder } from '../ui/icons/icons.tsx';
import { EmptyState, Page, Row, Rows, Section, Tabs } from '../ui/page.tsx';
import { PathText } from '../ui/path-text.tsx';
import { PathDrop } from '../ui/place-picker.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { doNothing, type Samples, type Stories } from './samples.ts';

/** A dialog is modal: it opens on request. */
function Opened({ name, children }: { name: string; children: (open: boolean, close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{name}</Button>
      {children(open, () => setOpen(false))}
    </>
  );
}

function Tabbed({ words }: { words: Samples }) {
  const [chosen, setChosen] = useState('one');
  const views = [
    { id: 'one', label: words.title, content: <p>{words.lead}</p> },
    { id: 'two', label: words.detail, content: <p>{words.sentence}</p> },
  ];
  return <Tabs views={views} chosen={chosen} onChoose={setChosen} />;
}

/** Shows what a file held over the place looks like. */
function Hovered({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const enter = Object.assign(new Event('dragenter', { bubbles: true }), { dataTransfer: { types: ['Files'] } });
    frame.current?.querySelector('.drop-place')?.dispatchEvent(enter);
  }, []);
  return <div ref={frame}>{children}</div>;
}

function Toaster({ words }: { words: Samples }) {
  const toast = useToast();
  return (
    <>
      <Button onClick={() => toast(words.sentence)}>{words.sentence}</Button>
      <Button onClick={() => toast(words.sentence, { label: words.action, run: async () => undefined })}>{words.action}</Button>
    </>
  );
}

const dropPlace = (words: Samples) => (
  <PathDrop say={words.action} onPlaces={doNothing} onPathless={doNothing}>
    <div className="gallery-drop">{words.lead}</div>
  </PathDrop>
);

const icon = <Folder aria-hidden="true" />;
const action = (words: Samples) => <Button size="small">{words.action}</Button>;

const portTaken = (words: Samples): Problem => ({
  kind: 'port',
  id: 'port',
  message: words.sentence,
  hint: words.lead,
  remedies: ['use_free_port', 'open_settings'],
  port: 7337,
});

export const pageStories: Stories = {
  AllowFile: { states: { asking: (words) => <AllowFile path={words.path} /> } },
  AllowPath: {
    states: {
      folder: (words) => <AllowPath path={words.path} verdict={{ allowable: null, toAllow: words.path }} />,
      file: (words) => <AllowPath path={words.path} verdict={{ allowable: 'id_rsa', toAllow: null }} />,
    },
  },
  ProblemNotice: {
    states: {
      'with its buttons': (words) => <ProblemNotice problem={portTaken(words)} />,
      'without those that lead away': (words) => <ProblemNotice problem={portTaken(words)} stays />,
    },
  },
  PathText: {
    states: {
      'in the home folder': () => <PathText path="/home/ada/Documents/orders.csv" />,
      elsewhere: (words) => <PathText path={words.path} />,
    },
  },
  Page: {
    wide: true,
    states: {
      plain: (words) => (
        <Page title={words.title}>
          <p>{words.sentence}</p>
        </Page>
      ),
      'lead and actions': (words) => (
        <Page title={words.title} lead={words.lead} actions={<Button look="primary">{words.action}</Button>} wide>
          <p>{words.sentence}</p>
        </Page>
      ),
    },
  },
  Section: {
    states: {
      plain: (words) => (
        <Section title={words.title}>
          <p>{words.sentence}</p>
        </Section>
      ),
      'note and actions': (words) => (
        <Section title={words.title} note={words.lead} actions={action(words)}>
          <p>{words.sentence}</p>
        </Section>
      ),
    },
  },
  EmptyState: {
    states: {
      plain: (words) => <EmptyState title={words.sentence} />,
      full: (words) => (
        <EmptyState icon={icon} title={words.sentence} action={action(words)}>
          {words.lead}
        </EmptyState>
      ),
    },
  },
  Rows: {
    states: {
      several: (words) => (
        <Rows label={words.title}>
          <Row title={words.title} detail={words.path} />
          <Row title={words.action} detail={words.detail} />
        </Rows>
      ),
    },
  },
  Row: {
    states: {
      plain: (words) => (
        <Rows label={words.title}>
          <Row title={words.title} />
        </Rows>
      ),
      full: (words) => (
        <Rows label={words.title}>
          <Row
            icon={icon}
            title={words.path}
            detail={words.detail}
            actions={action(words)}
            below={<Callout kind="warning" title={words.sentence} />}
          />
        </Rows>
      ),
    },
  },
  Tabs: { states: { two: (words) => <Tabbed words={words} /> } },
  Callout: {
    states: {
      info: (words) => <Callout kind="info" title={words.sentence} />,
      warning: (words) => (
        <Callout kind="warning" title={words.sentence} actions={action(words)}>
          <p>{words.lead}</p>
        </Callout>
      ),
      error: (words) => (
        <Callout kind="error" title={words.sentence}>
          <p>{words.path}</p>
        </Callout>
      ),
      'without title': (words) => (
        <Callout kind="info">
          <p>{words.lead}</p>
        </Callout>
      ),
    },
  },
  Trouble: {
    states: {
      message: (words) => <Trouble error={new AppError('FILE_EXISTS', say('file.exists', { path: words.path }))} />,
      'with hint and action': (words) => (
        <Trouble
          error={new AppError('UPSTREAM_TIMEOUT', words.sentence, { hint: say('folder.missing.hint') })}
          actions={action(words)}
        />
      ),
    },
  },
  PathDrop: {
    states: { ready: dropPlace, 'file above it': (words) => <Hovered>{dropPlace(words)}</Hovered> },
  },
  Dialog: {
    states: {
      plain: (words) => (
        <Opened name={words.title}>
          {(open, close) => (
            <Dialog open={open} onClose={close} title={words.title}>
              <p>{words.lead}</p>
            </Dialog>
          )}
        </Opened>
      ),
      'wide form': (words) => (
        <Opened name={words.action}>
          {(open, close) => (
            <Dialog
              open={open}
              onClose={close}
              title={words.action}
              lead={words.lead}
              wide
              form
              footer={
                <Button look="primary" onClick={close}>
                  {words.action}
                </Button>
              }
            >
              <p>{words.path}</p>
            </Dialog>
          )}
        </Opened>
      ),
    },
  },
  Confirm: {
    states: {
      ready: (words) => (
        <Opened name={words.action}>
          {(open, close) => (
            <Confirm open={open} onClose={close} onConfirm={close} title={words.title} action={words.action}>
              <p>{words.lead}</p>
            </Confirm>
          )}
        </Opened>
      ),
      busy: (words) => (
        <Opened name={words.detail}>
          {(open, close) => (
            <Confirm open={open} onClose={close} onConfirm={doNothing} title={words.title} action={words.action} busy>
              <p>{words.lead}</p>
            </Confirm>
          )}
        </Opened>
      ),
    },
  },
  Toasts: {
    states: {
      'with and without undo': (words) => (
        <Toasts>
          <Toaster words={words} />
        </Toasts>
      ),
    },
  },
};
