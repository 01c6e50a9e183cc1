/** Views of one thing, one at a time. */
import './tabs.css';
import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

export interface TabView {
  id: string;
  label: ReactNode;
  content: ReactNode;
}

export function Tabs({ views, chosen, onChoose }: { views: readonly TabView[]; chosen: string; onChoose: (id: string) => void }) {
  return (
    <Base.Root value={chosen} onValueChange={(value) => onChoose(String(value))} className="tabs">
      <Base.List className="tab-list">
        {views.map((view) => (
          <Base.Tab key={view.id} value={view.id} className="tab">
            {view.label}
          </Base.Tab>
        ))}
      </Base.List>
      {views.map((view) => (
        <Base.Panel key={view.id} value={view.id} className="tab-panel">
          {view.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
