/** Generates shop orders with numbers, codes, dates, prose, several scripts and gaps, identical in every format. */
import { type Random, randomOf } from './random.ts';

const WORDS =
  'the quick brown fox jumps over lazy dog customer order shipped invoice pending refund warehouse north south east west blue green red premium basic trial account manager support ticket escalated resolved payment failed retry subscription annual monthly'.split(
    ' ',
  );
const NAMES = [
  'Zoë Müller',
  'François Lefèvre',
  '東京 花子',
  'Øyvind Ås',
  'São Paulo',
  '北京市',
  'Ελλάδα',
  'Владимир',
  'Nuñez',
  '😀 ok',
];
const STATES = ['open', 'closed', 'hold'];

export interface Order {
  id: number;
  uuid: string;
  name: string;
  email: string;
  city: string;
  /** Five digits, the first often a zero. */
  zip: string;
  country: string;
  active: boolean;
  score: number;
  amount: number | null;
  createdAt: string;
  day: string;
  quantity: number;
  price: number;
  notes: string | null;
  tags: string[];
  lat: number;
  lon: number;
  phone: string;
  status: string;
}

const two = (value: number) => String(value).padStart(2, '0');
const hex = (random: Random, digits: number) =>
  random
    .below(16 ** digits)
    .toString(16)
    .padStart(digits, '0');
const words = (random: Random, count: number) => Array.from({ length: count }, () => random.pick(WORDS)).join(' ');

function notes(random: Random): string | null {
  if (random.chance(0.15)) return null;
  const text = words(random, 3 + random.below(8));
  const kind = random.next();
  if (kind < 0.06) return `${text}, ${words(random, 2)}`;
  if (kind < 0.09) return `${text} "${random.pick(WORDS)}"`;
  if (kind < 0.11) return `${text}\n${words(random, 3)}`;
  return text;
}

function order(id: number, random: Random): Order {
  const foreign = random.chance(0.08);
  const day = `2024-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;
  return {
    id,
    uuid: `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 8)}${hex(random, 4)}`,
    name: foreign ? random.pick(NAMES) : words(random, 2),
    email: `user${random.below(1_000_000)}@example.com`,
    city: foreign ? random.pick(NAMES) : random.pick(WORDS),
    zip: String(random.below(100_000)).padStart(5, '0'),
    country: 'US',
    active: random.chance(0.5),
    score: random.below(1_000_000) / 1e4,
    amount: random.chance(0.1) ? null : (random.below(10_000_000) - 5_000_000) / 100,
    createdAt: `${day}T${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}Z`,
    day,
    quantity: random.below(1000),
    price: random.below(50_000) / 100,
    notes: notes(random),
    tags: random.chance(0.3) ? [random.pick(WORDS), random.pick(WORDS)] : [random.pick(WORDS)],
    lat: (random.below(180_000_000) - 90_000_000) / 1e6,
    lon: (random.below(360_000_000) - 180_000_000) / 1e6,
    phone: `+1${2_000_000_000 + random.below(2_000_000_000)}`,
    status: random.pick(STATES),
  };
}

/** Endless, and the same for the same seed. */
export function* orders(seed = 1): Generator<Order> {
  const random = randomOf(seed);
  for (let id = 1; ; id += 1) yield order(id, random);
}

/** How orders are written in a format. */
export interface Notation {
  readonly head: string;
  /** `first`: no record was written before it. */
  record(order: Order, first: boolean): string;
  readonly tail: string;
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign);
/** As JSON if YAML would read it as another type. */
const yamlText = (text: string) =>
  /^[\p{L}][\p{L}\p{N} @.+-]*$/u.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);

function element(name: string, value: string | number | boolean | null): string {
  return `    <${name}>${value === null ? '' : escaped(String(value))}</${name}>\n`;
}

export const notations = {
  csv: {
    head: 'id,uuid,name,email,city,zip,country,active,score,amount,created_at,day,quantity,price,notes,tags,lat,lon,phone,status\n',
    record: (o) =>
      `${o.id},${o.uuid},${o.name},${o.email},${o.city},${o.zip},${o.country},${o.active},${o.score.toFixed(4)},${o.amount?.toFixed(2) ?? ''},${o.createdAt},${o.day},${o.quantity},${o.price.toFixed(2)},${quoted(o.notes ?? '')},${quoted(o.tags.join(','))},${o.lat.toFixed(6)},${o.lon.toFixed(6)},${o.phone},${o.status}\n`,
    tail: '',
  },
  json: { head: '[', record: (o, first) => `${first ? '' : ','}${JSON.stringify(o)}`, tail: ']' },
  'pretty.json': {
    head: '[\n',
    record: (o, first) => `${first ? '' : ',\n'}${JSON.stringify(o, null, 2).replace(/^/gm, '  ')}`,
    tail: '\n]\n',
  },
  jsonl: { head: '', record: (o) => `${JSON.stringify(o)}\n`, tail: '' },
  xml: {
    head: '<?xml version="1.0" encoding="UTF-8"?>\n<orders>\n',
    record: ({ id, status, notes: note, tags, ...rest }) =>
      `  <order id="${id}" status="${status}">\n${Object.entries(rest)
        .map(([name, value]) => element(name, value))
        .join('')}${id % 5 === 0 && note !== null ? `    <notes><![CDATA[${note}]]></notes>\n` : element('notes', note)}${tags
        .map((tag) => element('tag', tag.length > 6 ? `${tag} & more` : tag))
        .join('')}  </order>\n`,
    tail: '</orders>\n',
  },
  yaml: {
    head: '',
    record: (o) =>
      Object.entries(o)
        .map(([name, value], i) => {
          const key = `${i === 0 ? '- ' : '  '}${name}:`;
          if (Array.isArray(value)) return `${key}\n${value.map((tag) => `    - ${yamlText(tag)}\n`).join('')}`;
          return `${key} ${typeof value === 'string' ? yamlText(value) : value}\n`;
        })
        .join(''),
    tail: '',
  },
} satisfies Record<string, Notation>;
