"""A desktop for tests: hosts tray items (StatusNotifierWatcher, DBusMenu) and takes notifications, on the session bus.

Reads a JSON command a line on standard input and answers each with a JSON line:
  {"do": "tray"}                     the tray items: tooltip, a hash of the icon, and the menu
  {"do": "click", "path": [label…]}  clicks the item of that label, of the submenu of that label…
  {"do": "activate"}                 a click on the icon
  {"do": "notifications"}            those on display
  {"do": "open", "id": number}       a click on a notification
"""
import hashlib
import json
import sys

from gi.repository import Gio, GLib

WATCHER = '''<node><interface name="org.kde.StatusNotifierWatcher">
<method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
<method name="RegisterStatusNotifierHost"><arg type="s" direction="in"/></method>
<property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
<property name="ProtocolVersion" type="i" access="read"/>
<property name="RegisteredStatusNotifierItems" type="as" access="read"/>
<signal name="StatusNotifierItemRegistered"><arg type="s"/></signal>
</interface></node>'''
NOTIFICATIONS = '''<node><interface name="org.freedesktop.Notifications">
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
<arg type="s" direction="out"/><arg type="s" direction="out"/></method>
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
<arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method>
<signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
<signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>'''

loop = GLib.MainLoop()
items = []
notifications = {}
counter = 0


def say(value):
    print(json.dumps(value), flush=True)


def call(bus, owner, path, interface, method, arguments):
    return bus.call_sync(owner, path, interface, method, arguments, None, 0, 5000, None).unpack()


def plain(label):
    return label.replace('__', '\0').replace('_', '').replace('\0', '_')


def layout(node):
    number, properties, children = node
    return {
        'id': number,
        'label': plain(properties.get('label', '')),
        'enabled': properties.get('enabled', True),
        'separator': properties.get('type') == 'separator',
        'checked': properties.get('toggle-state') == 1 if properties.get('toggle-type') else None,
        'items': [layout(child) for child in children],
    }


def read(bus, item):
    owner, path = item
    everything = call(bus, owner, path, 'org.freedesktop.DBus.Properties', 'GetAll', GLib.Variant('(s)', ('org.kde.StatusNotifierItem',)))[0]
    menu = everything['Menu']
    tree = call(bus, owner, menu, 'com.canonical.dbusmenu', 'GetLayout', GLib.Variant('(iias)', (0, -1, [])))[1]
    icon = repr([(size[0], size[1], bytes(size[2])) for size in everything.get('IconPixmap', [])])
    tooltip = everything.get('ToolTip')
    return {
        'tooltip': tooltip[2] if tooltip else '',
        'icon': hashlib.sha256(icon.encode()).hexdigest(),
        'sizes': [size[0] for size in everything.get('IconPixmap', [])],
        'menuPath': menu,
        'menu': layout(tree)['items'],
    }


def click(bus, path):
    owner, _ = items[-1]
    shown = read(bus, items[-1])
    level = shown['menu']
    for label in path:
        found = next((item for item in level if item['label'] == label), None)
        if found is None:
            return {'clicked': False, 'labels': [item['label'] for item in level]}
        level = found['items']
    event = GLib.Variant('(isvu)', (found['id'], 'clicked', GLib.Variant('s', ''), 0))
    call(bus, owner, shown['menuPath'], 'com.canonical.dbusmenu', 'Event', event)
    return {'clicked': True}


def invoke(bus, number):
    if number not in notifications:
        return {'opened': False}
    emit = lambda name, value: bus.emit_signal(None, '/org/freedesktop/Notifications', 'org.freedesktop.Notifications', name, value)
    emit('ActionInvoked', GLib.Variant('(us)', (number, 'default')))
    emit('NotificationClosed', GLib.Variant('(uu)', (number, 2)))
    del notifications[number]
    return {'opened': True}


def obey(bus, command):
    wanted = command['do']
    if wanted == 'tray':
        return [read(bus, item) for item in items]
    if wanted == 'click':
        return click(bus, command['path'])
    if wanted == 'activate':
        owner, path = items[-1]
        call(bus, owner, path, 'org.kde.StatusNotifierItem', 'Activate', GLib.Variant('(ii)', (0, 0)))
        return {}
    if wanted == 'notifications':
        return list(notifications.values())
    if wanted == 'open':
        return invoke(bus, command['id'])
    raise ValueError(wanted)


def on_input(bus):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    try:
        say({'ok': obey(bus, json.loads(line))})
    except Exception as error:
        say({'error': str(error)})
    return True


def on_gone(_bus, owner):
    items[:] = [item for item in items if item[0] != owner]


def on_watcher(bus, sender, path, interface, method, parameters, invocation):
    if method == 'RegisterStatusNotifierItem':
        service = parameters.unpack()[0]
        items.append((sender, service) if service.startswith('/') else (service, '/StatusNotifierItem'))
        Gio.bus_watch_name_on_connection(bus, sender, Gio.BusNameWatcherFlags.NONE, None, on_gone)
    invocation.return_value(None)


def on_watcher_property(bus, sender, path, interface, name):
    return {
        'IsStatusNotifierHostRegistered': GLib.Variant('b', True),
        'ProtocolVersion': GLib.Variant('i', 0),
        'RegisteredStatusNotifierItems': GLib.Variant('as', [owner for owner, _ in items]),
    }[name]


def on_notifications(bus, sender, path, interface, method, parameters, invocation):
    global counter
    if method == 'GetCapabilities':
        invocation.return_value(GLib.Variant('(as)', (['body', 'actions'],)))
    elif method == 'GetServerInformation':
        invocation.return_value(GLib.Variant('(ssss)', ('test', 'test', '1', '1.2')))
    elif method == 'Notify':
        _app, replaces, _icon, title, body, _actions, _hints, _timeout = parameters.unpack()
        counter += 1
        number = replaces or counter
        notifications[number] = {'id': number, 'title': title, 'body': body}
        invocation.return_value(GLib.Variant('(u)', (number,)))
    elif method == 'CloseNotification':
        number = parameters.unpack()[0]
        notifications.pop(number, None)
        invocation.return_value(None)
        bus.emit_signal(None, path, interface, 'NotificationClosed', GLib.Variant('(uu)', (number, 3)))


def interface_of(xml):
    return Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0]


def main():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.register_object('/StatusNotifierWatcher', interface_of(WATCHER), on_watcher, on_watcher_property, None)
    bus.register_object('/org/freedesktop/Notifications', interface_of(NOTIFICATIONS), on_notifications, None, None)
    names = ['org.kde.StatusNotifierWatcher', 'org.freedesktop.Notifications']
    owned = []

    def acquired(_bus, name):
        owned.append(name)
        if len(owned) == len(names):
            say({'ok': 'ready'})

    for name in names:
        Gio.bus_own_name_on_connection(bus, name, Gio.BusNameOwnerFlags.NONE, acquired, None)
    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, lambda *_: on_input(bus))
    loop.run()


main()
