/** YAML and XML, seen from outside. */
import { examples, refusals } from './fixtures/examples.ts';

examples('YAML is read by the 1.2 core schema', {
  'maps, lists and scalars': {
    file: 'a.yaml',
    input:
      'name: Ann\nage: 31\nratio: 0.5\nok: true\nnone: null\ntilde: ~\nempty:\ntags: [a, "b c"]\nitems:\n  - x: 1\n  - y: 2\n',
    json: '{"name":"Ann","age":31,"ratio":0.5,"ok":true,"none":null,"tilde":null,"empty":null,"tags":["a","b c"],"items":[{"x":1},{"y":2}]}',
  },
  'the other extension': { file: 'a.yml', input: 'a: 1\n', json: '{"a":1}' },
  'words of YAML 1.1 are strings': {
    file: 'a.yaml',
    input: 'a: yes\nb: no\nc: on\nd: 2001-12-14\ne: 12:30:45\nf: 1_000\n',
    json: '{"a":"yes","b":"no","c":"on","d":"2001-12-14","e":"12:30:45","f":"1_000"}',
  },
  'hexadecimal and octal': { file: 'a.yaml', input: 'a: 0x1F\nb: 0o17\n', json: '{"a":31,"b":15}' },
  'integers beyond 2^53 are strings': {
    file: 'a.yaml',
    input: 'small: 9007199254740991\nbig: 9007199254740993\nhuge: 12345678901234567890\nminus: -9007199254740993\n',
    json: '{"small":9007199254740991,"big":"9007199254740993","huge":"12345678901234567890","minus":"-9007199254740993"}',
  },
  'block scalars': {
    file: 'a.yaml',
    input: 'a: |\n  one\n  two\nb: >\n  one\n  two\n',
    json: '{"a":"one\\ntwo\\n","b":"one two\\n"}',
  },
  'several documents are an array': { file: 'a.yaml', input: '---\na: 1\n---\n- 2\n---\nthree\n', json: '[{"a":1},[2],"three"]' },
  'one document with a marker is itself': { file: 'a.yaml', input: '---\na: 1\n...\n', json: '{"a":1}' },
  'anchors are resolved': { file: 'a.yaml', input: 'a: &x [1, 2]\nb: *x\n', json: '{"a":[1,2],"b":[1,2]}' },
  'merge keys are resolved, own keys win': {
    file: 'a.yaml',
    input: 'base: &b {x: 1, y: 2}\none:\n  <<: *b\n  y: 3\n',
    json: '{"base":{"x":1,"y":2},"one":{"x":1,"y":3}}',
  },
  'a merge of several: the first wins': {
    file: 'a.yaml',
    input: 'a: &a {x: 1}\nb: &b {x: 2, z: 3}\nc:\n  <<: [*a, *b]\n',
    json: '{"a":{"x":1},"b":{"x":2,"z":3},"c":{"x":1,"z":3}}',
  },
  'ordinary keys that JavaScript finds special': {
    file: 'a.yaml',
    input: '__proto__: {x: 1}\nconstructor: 2\n',
    json: '{"__proto__":{"x":1},"constructor":2}',
  },
  'keys are strings': { file: 'a.yaml', input: '1: a\ntrue: b\n', json: '{"1":"a","true":"b"}' },
  'a byte order mark': { file: 'a.yaml', input: '\ufeffa: 1\n', json: '{"a":1}' },
});

refusals('YAML that is broken or a trap', {
  'an anchor inside itself': { file: 'a.yaml', input: 'a: &a\n  b: *a\n', says: /Failed to parse YAML file: / },
  'an alias of nothing': { file: 'a.yaml', input: 'ok: 1\na: *gone\n', says: /Failed to parse YAML file: .* at line 2/ },
  'an indentation that fits nowhere': {
    file: 'a.yaml',
    input: 'a:\n  b: 1\n c: 2\n',
    says: /Failed to parse YAML file: .* at line 3/,
  },
  'a bare control character': {
    file: 'a.yaml',
    input: 'a: 1\nb: "x\u0000y"\n',
    says: /Failed to parse YAML file: .*U\+0000.* at line 2/,
  },
  'a number that JSON does not have': {
    file: 'a.yaml',
    input: 'a: .inf\n',
    says: /Failed to parse YAML file: .*\.inf.* at line 1/,
  },
  'a key twice': { file: 'a.yaml', input: 'a: 1\nb: 2\na: 3\n', says: /Failed to parse YAML file: .* at line 3/ },
  'a flow list that never closes': { file: 'a.yaml', input: 'a: [1, 2\n', says: /Failed to parse YAML file: .* at line \d+/ },
});

examples('XML becomes an object', {
  'attributes, text, repeated and lone elements': {
    file: 'a.xml',
    input: '<order id="7"><item sku="a">Nut</item><item>Bolt</item><note>soon</note></order>',
    json: '{"order":{"@id":"7","item":[{"@sku":"a","#text":"Nut"},"Bolt"],"note":"soon"}}',
  },
  'values stay strings': { file: 'a.xml', input: '<a><n>007</n><b>true</b></a>', json: '{"a":{"n":"007","b":"true"}}' },
  'repeated elements apart from each other': {
    file: 'a.xml',
    input: '<a><b>1</b><c>2</c><b>3</b></a>',
    json: '{"a":{"b":["1","3"],"c":"2"}}',
  },
  'declaration, comments, instructions and white space between elements leave nothing': {
    file: 'a.xml',
    input: '<?xml version="1.0"?>\n<!-- c -->\n<a>\n  <?pi x?>\n  <b>1</b>\n</a>\n',
    json: '{"a":{"b":"1"}}',
  },
  'the five entities, character references and CDATA': {
    file: 'a.xml',
    input: '<a><b>&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600;</b><c><![CDATA[<raw> & ]]></c></a>',
    json: '{"a":{"b":"<&>\\"\'A😀","c":"<raw> & "}}',
  },
  'a document type that declares nothing is read past': {
    file: 'a.xml',
    input: '<!DOCTYPE a SYSTEM "a.dtd">\n<a>1</a>',
    json: '{"a":"1"}',
  },
  'prefixes are part of the name': {
    file: 'a.xml',
    input: '<x:a xmlns:x="urn:x"><x:b x:k="v">1</x:b></x:a>',
    json: '{"x:a":{"@xmlns:x":"urn:x","x:b":{"@x:k":"v","#text":"1"}}}',
  },
  'names that JavaScript finds special': {
    file: 'a.xml',
    input: '<a><__proto__>x</__proto__><constructor>y</constructor></a>',
    json: '{"a":{"__proto__":"x","constructor":"y"}}',
  },
  'empty elements are empty strings': { file: 'a.xml', input: '<a><b/><c></c></a>', json: '{"a":{"b":"","c":""}}' },
  'text between elements is the text of their parent': {
    file: 'a.xml',
    input: '<p k="v">one <b>two</b> three</p>',
    json: '{"p":{"@k":"v","b":"two","#text":"one  three"}}',
    warning: /1 element has text between child elements.*first: 'one {2}three'/,
  },
  'a lone root with text': { file: 'a.xml', input: '<a>hi</a>', json: '{"a":"hi"}' },
});

refusals('XML that is broken or a trap', {
  'a document type with a subset': {
    file: 'a.xml',
    input: '<!DOCTYPE a []>\n<a/>',
    says: /Failed to parse XML file: .*DTD|DOCTYPE/i,
  },
  'an external entity': {
    file: 'a.xml',
    input: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<a>&x;</a>',
    says: /Failed to parse XML file: /,
  },
  'a billion laughs': {
    file: 'a.xml',
    input: '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n<a>&b;</a>',
    says: /Failed to parse XML file: /,
  },
  'an entity that nobody declared': { file: 'a.xml', input: '<a>\n&nbsp;</a>', says: /Failed to parse XML file: .* at line 2/ },
  'a tag closed by another': { file: 'a.xml', input: '<a>\n<b>\n</c></a>', says: /Failed to parse XML file: .* at line 3/ },
  'two roots': { file: 'a.xml', input: '<a/>\n<b/>', says: /Failed to parse XML file: .* at line 2/ },
  'junk after the root': { file: 'a.xml', input: '<a/>\njunk', says: /Failed to parse XML file: .* at line 2/ },
  'an end that never comes': { file: 'a.xml', input: '<a><b>', says: /Failed to parse XML file: .* at line 1/ },
  'an attribute twice': { file: 'a.xml', input: '<a b="1" b="2"/>', says: /Failed to parse XML file: .* at line 1/ },
  'an attribute without quotes': { file: 'a.xml', input: '<a b=1/>', says: /Failed to parse XML file: .* at line 1/ },
});
