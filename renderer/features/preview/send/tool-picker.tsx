/** Choosing one of a server's tools, by looking through the list or by typing a part of the name. */
import { visibleName, visibleText } from '../../../../shared/lib/visible-text.ts';
import './tool-picker.css';
import { Combobox } from '@base-ui/react/combobox';
import type { UpstreamToolView } from '../../../../shared/contract/upstreams.ts';
import { Field } from '../../../ui/field.tsx';
import { ChevronsUpDown } from '../../../ui/icons/icons.tsx';
import { t } from '../preview-texts.ts';

/** Those that can take a file first. */
const bySuitability = (a: UpstreamToolView, b: UpstreamToolView) =>
  Number(b.dataKeys.length > 0) - Number(a.dataKeys.length > 0) || a.name.localeCompare(b.name);

export function ToolPicker({
  tools,
  chosen,
  onChoose,
}: {
  tools: readonly UpstreamToolView[];
  chosen: UpstreamToolView | undefined;
  onChoose: (tool: UpstreamToolView) => void;
}) {
  const offered = tools.filter(({ enabled }) => enabled).sort(bySuitability);
  return (
    <Combobox.Root
      items={offered}
      value={chosen ?? null}
      onValueChange={(tool) => (tool === null ? undefined : onChoose(tool))}
      itemToStringLabel={(tool) => visibleName(tool.name)}
      isItemEqualToValue={(item, value) => item.name === value.name}
      filter={(tool, query) => {
        const where = `${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase();
        return query
          .toLowerCase()
          .split(/\s+/)
          .every((word) => where.includes(word));
      }}
    >
      <Field label={t('tool')}>
        {(ids) => (
          <Combobox.InputGroup className="tool-input">
            <Combobox.Input {...ids} className="input" placeholder={t('searchTool')} spellCheck={false} />
            <Combobox.Trigger className="tool-trigger" aria-label={t('showTools')}>
              <ChevronsUpDown aria-hidden="true" />
            </Combobox.Trigger>
          </Combobox.InputGroup>
        )}
      </Field>
      <Combobox.Portal>
        <Combobox.Positioner className="menu-place" sideOffset={6}>
          <Combobox.Popup className="menu tool-menu">
            <Combobox.Empty>
              <p className="quiet tool-none">{t('noSuchTool')}</p>
            </Combobox.Empty>
            <Combobox.List className="tool-list">
              {(tool: UpstreamToolView) => (
                <Combobox.Item key={tool.name} value={tool} className="menu-item tool-item">
                  <span className="tool-name">{visibleName(tool.name)}</span>
                  <span className="quiet small tool-note">
                    {tool.dataKeys.length === 0 ? t('takesNoFile') : visibleText(tool.description ?? '')}
                  </span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
