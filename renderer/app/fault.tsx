/** Catches what a page throws while drawing, so that one broken page does not take the window with it. */
import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/page.tsx';
import { t } from './app-texts.ts';

export class Fault extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <EmptyState
        title={t('brokenTitle')}
        action={
          <Button look="primary" onClick={() => location.reload()}>
            {t('reload')}
          </Button>
        }
      >
        {t('brokenText')}
      </EmptyState>
    );
  }
}
