/** A desktop environment for tests: shows and clicks the tray's menu (StatusNotifierWatcher, DBusMenu), and records notifications. */
import { createHash } from 'node:crypto';
import dbus, { type Message, type MessageBus, type Variant } from '@particle/dbus-next';
import type { SessionBus } from './session-bus.ts';

export interface MenuItem {
  label: string;
  enabled: boolean;
  separator: boolean;
  /** Null if the item has no check mark. */
  checked: boolean | null;
  items: MenuItem[];
}

export interface TrayItem {
  tooltip: string;
  /** Hash of the icon: equal for equal icons. */
  icon: string;
  menu: MenuItem[];
}

export interface Shown {
  id: number;
  title: string;
  body: string;
}

export interface DesktopHost {
  tray(): Promise<TrayItem[]>;
  /** Clicks the item with this label; several labels lead through submenus. */
  click(...path: string[]): Promise<void>;
  /** Clicks the icon itself. */
  activate(): Promise<void>;
  notifications(): Promise<Shown[]>;
  /** Clicks a notification. */
  open(notification: Shown): Promise<void>;
  close(): Promise<void>;
}

const WATCHER = 'org.kde.StatusNotifierWatcher';
const ITEM = 'org.kde.StatusNotifierItem';
const NOTIFICATIONS = 'org.freedesktop.Notifications';
const NOTIFICATIONS_PATH = '/org/freedesktop/Notifications';
const MENU = 'com.canonical.dbusmenu';
/** Reasons of the notification specification. */
const DISMISSED = 2;
const CLOSED = 3;

/** A tray item's place on the bus. */
interface Place {
  owner: string;
  path: string;
}

type Properties = Record<string, Variant>;
/** DBusMenu's layout, `(ia{sv}av)`. */
type MenuNode = [number, Properties, Variant<MenuNode>[]];
interface Numbered extends MenuItem {
  id: number;
  items: Numbered[];
}

/** In a label `__` is an underscore and `_` marks the access key. */
const plain = (label: string) => label.replace(/_(_?)/g, '$1');

function itemOf([id, properties, children]: MenuNode): Numbered {
  const value = (name: string) => properties[name]?.value;
  return {
    id,
    label: plain(value('label') ?? ''),
    enabled: value('enabled') ?? true,
    separator: value('type') === 'separator',
    checked: value('toggle-type') ? value('toggle-state') === 1 : null,
    items: children.map((child) => itemOf(child.value)),
  };
}

async function call(bus: MessageBus, { owner, path }: Place, target: string, signature = '', body: unknown[] = []) {
  const at = target.lastIndexOf('.');
  const [iface, member] = [target.slice(0, at), target.slice(at + 1)];
  const answer = await bus.call(new dbus.Message({ destination: owner, path, interface: iface, member, signature, body }));
  return answer?.body ?? [];
}

async function read(bus: MessageBus, item: Place) {
  const [properties] = (await call(bus, item, 'org.freedesktop.DBus.Properties.GetAll', 's', [ITEM])) as [Properties];
  const menu = { owner: item.owner, path: properties.Menu?.value as string };
  const [, layout] = (await call(bus, menu, `${MENU}.GetLayout`, 'iias', [0, -1, []])) as [number, MenuNode];
  const icon = createHash('sha256');
  for (const [width, height, bytes] of (properties.IconPixmap?.value ?? []) as [number, number, Buffer][]) {
    icon.update(`${width}x${height}`).update(bytes);
  }
  return {
    menu,
    tooltip: (properties.ToolTip?.value?.[2] ?? '') as string,
    icon: icon.digest('hex'),
    items: itemOf(layout).items,
  };
}

export async function startDesktopHost({ env }: SessionBus): Promise<DesktopHost> {
  const bus = dbus.sessionBus({ busAddress: env.DBUS_SESSION_BUS_ADDRESS });
  let items: Place[] = [];
  const notifications = new Map<number, Shown>();
  let counter = 0;
  const emit = (name: string, signature: string, body: unknown[]) =>
    bus.send(dbus.Message.newSignal(NOTIFICATIONS_PATH, NOTIFICATIONS, name, signature, body));
  const remove = (id: number, reason: number) => {
    notifications.delete(id);
    emit('NotificationClosed', 'uu', [id, reason]);
  };

  const watcherProperties: Properties = {
    IsStatusNotifierHostRegistered: new dbus.Variant('b', true),
    ProtocolVersion: new dbus.Variant('i', 0),
    RegisteredStatusNotifierItems: new dbus.Variant('as', []),
  };
  /** What a method answers: a signature and the values. */
  const methods: Record<string, (message: Message) => [string, unknown[]]> = {
    [`${WATCHER}.RegisterStatusNotifierItem`]({ sender, body: [service] }) {
      items.push(service.startsWith('/') ? { owner: sender, path: service } : { owner: service, path: '/StatusNotifierItem' });
      return ['', []];
    },
    [`${WATCHER}.RegisterStatusNotifierHost`]: () => ['', []],
    'org.freedesktop.DBus.Properties.Get': ({ body: [, name] }) => ['v', [watcherProperties[name]]],
    'org.freedesktop.DBus.Properties.GetAll': () => ['a{sv}', [watcherProperties]],
    [`${NOTIFICATIONS}.GetCapabilities`]: () => ['as', [['body', 'actions']]],
    [`${NOTIFICATIONS}.GetServerInformation`]: () => ['ssss', ['test', 'test', '1', '1.2']],
    [`${NOTIFICATIONS}.Notify`]({ body: [, replaced, , title, body] }) {
      counter += 1;
      const id = replaced || counter;
      notifications.set(id, { id, title, body });
      return ['u', [id]];
    },
    [`${NOTIFICATIONS}.CloseNotification`]({ body: [id] }) {
      remove(id, CLOSED);
      return ['', []];
    },
  };
  bus.addMethodHandler((message: Message) => {
    const method = methods[`${message.interface}.${message.member}`];
    if (!method) return false;
    const [signature, body] = method(message);
    bus.send(dbus.Message.newMethodReturn(message, signature, body));
    return true;
  });
  bus.on('message', ({ member, body }) => {
    // A name without a new owner has left the bus.
    if (member === 'NameOwnerChanged' && body[2] === '') items = items.filter(({ owner }) => owner !== body[0]);
  });
  const daemon = { owner: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' };
  await call(bus, daemon, 'org.freedesktop.DBus.AddMatch', 's', ["type='signal',member='NameOwnerChanged'"]);
  for (const name of [WATCHER, NOTIFICATIONS]) await bus.requestName(name, 0);

  const newest = () => {
    const item = items.at(-1);
    if (!item) throw new Error('There is no tray item');
    return item;
  };
  return {
    tray: () =>
      Promise.all(
        items.map(async (item) => {
          const { tooltip, icon, items: menu } = await read(bus, item);
          return { tooltip, icon, menu };
        }),
      ),
    async click(...path) {
      const { menu, items: top } = await read(bus, newest());
      let level = top;
      let found: Numbered | undefined;
      for (const label of path) {
        found = level.find((item) => item.label === label);
        if (!found) throw new Error(`There is no '${path.join("' → '")}' among ${level.map((item) => item.label).join(', ')}`);
        level = found.items;
      }
      await call(bus, menu, `${MENU}.Event`, 'isvu', [found?.id, 'clicked', new dbus.Variant('s', ''), 0]);
    },
    activate: async () => void (await call(bus, newest(), `${ITEM}.Activate`, 'ii', [0, 0])),
    notifications: async () => [...notifications.values()],
    async open({ id, title }) {
      if (!notifications.has(id)) throw new Error(`The notification '${title}' is gone`);
      emit('ActionInvoked', 'us', [id, 'default']);
      remove(id, DISMISSED);
    },
    close: async () => bus.disconnect(),
  };
}
