/** What a file turns into, seen from outside: JSON, JSON lines, text, and the ways to pass, encode and compress them. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { examples, refusals } from './fixtures/examples.ts';

const utf16 = (text: string, order: 'le' | 'be', bom = true) => {
  const bytes = Buffer.from(`${bom ? '\ufeff' : ''}${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
const latin1 = (text: string) => Buffer.from(text, 'latin1');

examples('JSON is validated and passed through', {
  'every kind of value': {
    file: 'a.json',
    input: '{"a":[1,-2.5,true,false,null,"x",{},[]]}',
    json: '{"a":[1,-2.5,true,false,null,"x",{},[]]}',
  },
  'a lone scalar': { file: 'a.json', input: '42', json: '42' },
  'a lone string': { file: 'a.json', input: '"é"', json: '"é"' },
  'a lone null': { file: 'a.json', input: 'null', json: 'null' },
  'an array': { file: 'a.json', input: '[1,[2,[3]]]', json: '[1,[2,[3]]]' },
  'numbers beyond a double keep every digit': {
    file: 'a.json',
    input: '{"id":12345678901234567890123,"pi":3.14159265358979323846264338,"big":1e400,"zero":-0,"price":1.10,"e":1E+2}',
    json: '{"id":12345678901234567890123,"pi":3.14159265358979323846264338,"big":1e400,"zero":-0,"price":1.10,"e":1E+2}',
  },
  'ordinary keys that JavaScript finds special': {
    file: 'a.json',
    input: '{"__proto__":{"x":1},"constructor":2,"toString":3,"10":4,"9":5}',
    json: '{"__proto__":{"x":1},"constructor":2,"toString":3,"10":4,"9":5}',
  },
  'a byte order mark does not get in the way': { file: 'a.json', input: '\ufeff{"a":1}', json: '{"a":1}' },
  'white space between tokens goes': { file: 'a.json', input: ' {\r\n\t"a b" : [ 1 ,\n 2 ]\n}\n', json: '{"a b":[1,2]}' },
});

examples('JSON lines become the array of their values', {
  'objects and scalars': { file: 'a.jsonl', input: '{"a":1}\n2\n"x"\nnull\n[3]\n', json: '[{"a":1},2,"x",null,[3]]' },
  'the other extension': { file: 'a.ndjson', input: '{"a":1}\n{"a":2}', json: '[{"a":1},{"a":2}]' },
  'blank lines are skipped': { file: 'a.jsonl', input: '\n{"a":1}\n\n   \n{"a":2}\n\n', json: '[{"a":1},{"a":2}]' },
  'CRLF line ends': { file: 'a.jsonl', input: '{"a":1}\r\n{"a":2}\r\n', json: '[{"a":1},{"a":2}]' },
  'digits beyond 2^53': { file: 'a.jsonl', input: '{"id":9007199254740993}\n', json: '[{"id":9007199254740993}]' },
  'a byte order mark': { file: 'a.jsonl', input: '\ufeff{"a":1}\n', json: '[{"a":1}]' },
  'line separators inside strings are no line ends': { file: 'a.jsonl', input: '{"a":"x\u2028y"}\n', json: '[{"a":"x\u2028y"}]' },
});

examples('text becomes one string', {
  '.txt, with quotes, backslashes and control characters': {
    file: 'a.txt',
    input: 'He said "hi"\\\n\ttab\u0001 end',
    json: '"He said \\"hi\\"\\\\\\n\\ttab\\u0001 end"',
  },
  '.md': { file: 'README.md', input: '# Grüße\n', json: '"# Grüße\\n"' },
  'an extension nobody knows, if it is valid text': { file: 'notes.xyz', input: 'plain', json: '"plain"' },
  'no extension': { file: 'Makefile', input: 'all:\n', json: '"all:\\n"' },
  'letters beyond the basic plane': { file: 'a.txt', input: 'a😀b', json: '"a😀b"' },
});

examples('`as` says how the content is passed', {
  'as text: the file itself, unparsed': {
    file: 'a.csv',
    input: 'a,b\r\n1,"2"\r\n',
    args: ['--as', 'text'],
    json: '"a,b\\r\\n1,\\"2\\"\\r\\n"',
  },
  'as json: the parsed value': { file: 'a.json', input: '{"a":1}', args: ['--as', 'json'], json: '{"a":1}' },
  'as json, of a file whose name says nothing of it': {
    file: 'a.txt',
    input: '{"a":1}',
    args: ['--as', 'json'],
    json: '{"a":1}',
  },
  'as base64: the bytes, whatever they are': {
    file: 'a.png',
    input: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0xfe, 0x0a),
    args: ['--as', 'base64'],
    json: '"iVBORwD//go="',
  },
  'as base64, one byte over': { file: 'a.bin', input: Uint8Array.of(1, 2, 3, 4), args: ['--as', 'base64'], json: '"AQIDBA=="' },
  'as data_uri, with the type the name says': {
    file: 'a.png',
    input: Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
    args: ['--as', 'data_uri'],
    json: '"data:image/png;base64,iVBORw=="',
  },
  'auto is what happens without it': { file: 'a.csv', input: 'a\n1\n', args: ['--as', 'auto'], json: '[{"a":1}]' },
  'format overrides the extension': { file: 'a.txt', input: 'a;b\n1;2\n', args: ['--format', 'csv'], json: '[{"a":1,"b":2}]' },
  'the other names of formats': { file: 'a.txt', input: '{"a":1}\n', args: ['--format', 'ndjson'], json: '[{"a":1}]' },
  'yml as a format': { file: 'a.txt', input: 'a: 1\n', args: ['--format', 'yml'], json: '{"a":1}' },
  'txt as a format': { file: 'a.json', input: '1', args: ['--format', 'txt'], json: '"1"' },
  'format text on a JSON file': { file: 'a.json', input: '{"a":1}', args: ['--format', 'text'], json: '"{\\"a\\":1}"' },
  'the extension in capitals': { file: 'A.CSV', input: 'a\n1\n', json: '[{"a":1}]' },
});

examples('the encoding is found, or given', {
  'UTF-8': { file: 'a.csv', input: 'n\nZoë 東京\n', json: '[{"n":"Zoë 東京"}]' },
  'UTF-16 little-endian by its mark': { file: 'a.csv', input: utf16('n,m\nZoë,1\n', 'le'), json: '[{"n":"Zoë","m":1}]' },
  'UTF-16 big-endian by its mark': { file: 'a.json', input: utf16('{"n":"東京😀"}', 'be'), json: '{"n":"東京😀"}' },
  'windows-1252 when the bytes are no UTF-8, and where that shows': {
    file: 'a.csv',
    input: latin1('name,price\nCaf\xe9,5\x80\n'),
    json: '[{"name":"Café","price":"5€"}]',
    warning: /^filebridge: .*\b14\b.*windows-1252.*\n$/,
  },
  'a label of the Encoding Standard': {
    file: 'a.txt',
    input: Uint8Array.of(0x93, 0x8c, 0x8b, 0x9e),
    args: ['--encoding', 'shift_jis'],
    json: '"東京"',
  },
  'a few NULs without a mark and without a label: valid UTF-8, but not without a warning': {
    file: 'a.txt',
    input: utf16('ab', 'le', false),
    json: '"a\\u0000b\\u0000"',
    warning: /offset 1\).*utf-16le/,
  },
  'UTF-16 without a mark and without a label': {
    file: 'a.csv',
    input: utf16('id,name\n1,Zoë\n2,Ada Lovelace\n', 'le', false),
    json: '[{"id":1,"name":"Zoë"},{"id":2,"name":"Ada Lovelace"}]',
    warning: /Read as utf-16le/,
  },
  'UTF-16 without a mark, by its label': {
    file: 'a.jsonl',
    input: utf16('{"n":"ö"}\n{"n":"ü"}\n', 'le', false),
    args: ['--encoding', 'utf-16le'],
    json: '[{"n":"ö"},{"n":"ü"}]',
  },
  'iso-8859-15 has the euro elsewhere': {
    file: 'a.txt',
    input: Uint8Array.of(0xa4),
    args: ['--encoding', 'iso-8859-15'],
    json: '"€"',
  },
});

refusals('encodings that do not fit are refused', {
  'bytes that are not the encoding given': {
    file: 'a.txt',
    input: latin1('abc\xe9'),
    args: ['--encoding', 'utf-8'],
    says: /utf-8.*\b3\b/i,
  },
  'a label nobody knows': { file: 'a.txt', input: 'x', args: ['--encoding', 'klingon'], says: /klingon/ },
});

const csv = 'city,n\nKöln,1\n';
// `printf 'city,n\nKöln,1\n' | zstd -19`
const zst = Buffer.from('KLUv/QRoeQAAY2l0eSxuCkvDtmxuLDEKSDP+EQ==', 'base64');
examples('compressed files are the files in them', {
  '.csv.gz': { file: 'a.csv.gz', input: gzipSync(csv), json: '[{"city":"Köln","n":1}]' },
  '.csv.br': { file: 'a.csv.br', input: brotliCompressSync(csv), json: '[{"city":"Köln","n":1}]' },
  '.csv.zst': { file: 'a.csv.zst', input: zst, json: '[{"city":"Köln","n":1}]' },
  'zstd with back references and entropy-coded literals': {
    file: 'a.jsonl.zst',
    // `for i in $(seq 1 400); do echo "{\"id\":$i,\"name\":\"person number $i\"}"; done | zstd -19`
    input: readFileSync(new URL('fixtures/people.jsonl.zst', import.meta.url)),
    json: `[${Array.from({ length: 400 }, (_, i) => `{"id":${i + 1},"name":"person number ${i + 1}"}`).join(',')}]`,
  },
  '.json.gz': { file: 'a.json.gz', input: gzipSync('{"a":12345678901234567890}'), json: '{"a":12345678901234567890}' },
  '.txt.gz of two members, one after the other': {
    file: 'a.txt.gz',
    input: Buffer.concat([gzipSync('one '), gzipSync('two')]),
    json: '"one two"',
  },
  'compressed and encoded': { file: 'a.tsv.gz', input: gzipSync(utf16('a\tb\n1\tö\n', 'le')), json: '[{"a":1,"b":"ö"}]' },
  '.yaml.br': { file: 'a.yaml.br', input: brotliCompressSync('a: [1, 2]\n'), json: '{"a":[1,2]}' },
  '.xml.gz': { file: 'a.xml.gz', input: gzipSync('<a><b>1</b></a>'), json: '{"a":{"b":"1"}}' },
});

refusals('damaged archives are refused', {
  'a gzip cut short': { file: 'a.csv.gz', input: gzipSync('a,b\n'.repeat(100)).subarray(0, 20), says: /gzip|compress/i },
  'no gzip at all': { file: 'a.csv.gz', input: 'a,b\n1,2\n', says: /gzip|compress/i },
  'a brotli cut short': {
    file: 'a.json.br',
    input: brotliCompressSync(JSON.stringify(Array.from({ length: 999 }, (_, i) => i * 7919))).subarray(0, 99),
    says: /brotli|compress/i,
  },
  'no zstd at all': { file: 'a.json.zst', input: '{"a":1}', says: /zst|compress/i },
});
