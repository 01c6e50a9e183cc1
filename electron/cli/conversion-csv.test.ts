/** Tables, seen from outside: dialects, headers, and types that are decided for a whole column at a time. */
import { examples, refusals } from './fixtures/examples.ts';

examples('CSV and TSV become an array of objects by header', {
  'the plain case': {
    file: 'a.csv',
    input: 'name,age\nAnn,31\nBob,7\n',
    json: '[{"name":"Ann","age":31},{"name":"Bob","age":7}]',
  },
  'no line end after the last row': { file: 'a.csv', input: 'a,b\n1,2', json: '[{"a":1,"b":2}]' },
  'CRLF line ends': { file: 'a.csv', input: 'a,b\r\n1,x\r\n', json: '[{"a":1,"b":"x"}]' },
  'CR line ends': { file: 'a.csv', input: 'a,b\r1,x\r2,y\r', json: '[{"a":1,"b":"x"},{"a":2,"b":"y"}]' },
  'a byte order mark is no part of the first name': { file: 'a.csv', input: '\ufeffa,b\n1,2\n', json: '[{"a":1,"b":2}]' },
  'quotes: delimiters, doubled quotes and line ends inside': {
    file: 'a.csv',
    input: 'a,b\n"x,y","say ""hi""\nbye"\n',
    json: '[{"a":"x,y","b":"say \\"hi\\"\\nbye"}]',
  },
  'quoted names': { file: 'a.csv', input: '"a ""1""","b,c"\n1,2\n', json: '[{"a \\"1\\"":1,"b,c":2}]' },
  'white space belongs to the cell': { file: 'a.csv', input: 'a,b\n x ,y\n', json: '[{"a":" x ","b":"y"}]' },
  'semicolons are found': {
    file: 'a.csv',
    input: 'a;b\n1,5;x\n2,5;y\n',
    json: '[{"a":"1,5","b":"x"},{"a":"2,5","b":"y"}]',
    warning: /^filebridge: Numbers with a decimal comma stay text \(a\); ask for --decimal ',' to/,
  },
  'bars are found': { file: 'a.csv', input: 'a|b\n1|x\n', json: '[{"a":1,"b":"x"}]' },
  'tabs are found': { file: 'a.csv', input: 'a\tb\n1\tx,y\n', json: '[{"a":1,"b":"x,y"}]' },
  'delimiters in quotes do not count': { file: 'a.csv', input: 'a;"b,c,d"\n1;"2,3,4"\n', json: '[{"a":1,"b,c,d":"2,3,4"}]' },
  'quotes with another candidate inside tell the delimiter': {
    file: 'a.csv',
    input: 'id;"last, first"\n1;"Doe, Ann"\n',
    json: '[{"id":1,"last, first":"Doe, Ann"}]',
  },
  'a delimiter that is given': { file: 'a.csv', input: 'a:b\n1:x\n', args: ['--delimiter', ':'], json: '[{"a":1,"b":"x"}]' },
  'a first line sep= names the delimiter': { file: 'a.csv', input: 'sep=;\na;b\n1;x,y\n', json: '[{"a":1,"b":"x,y"}]' },
  'titles above the header are skipped, and said': {
    file: 'a.csv',
    input: 'Kontoauszug 2024\n\nDatum;Betrag\n01.01.2024;5\n',
    json: '[{"Datum":"01.01.2024","Betrag":5}]',
    warning: /Lines 1 to 2 above the header were skipped.*--skip 0/,
  },
  'lines to skip': { file: 'a.csv', input: 'x,y\na,b\n1,2\n', args: ['--skip', '1'], json: '[{"a":1,"b":2}]' },
  'the line of the header': { file: 'a.csv', input: 'x\na,b\n1,2\n', args: ['--header-row', '2'], json: '[{"a":1,"b":2}]' },
  'no lines to skip': {
    file: 'a.csv',
    input: 'T\n\na;b\n1;2\n',
    args: ['--skip', '0'],
    json: '[{"T":"a;b"},{"T":"1;2"}]',
    warning: /1 blank line/,
  },
  'a line of spaces is no record': { file: 'a.csv', input: 'a,b\n  \n1,2\n', json: '[{"a":1,"b":2}]' },
  TSV: { file: 'a.tsv', input: 'a\tb\n1\tx, y\n', json: '[{"a":1,"b":"x, y"}]' },
  'one column': { file: 'a.csv', input: 'a\n1\n2\n', json: '[{"a":1},{"a":2}]' },
  'only a header': { file: 'a.csv', input: 'a,b\n', json: '[]', warning: /header only, so there are no records\n$/ },
  'without a header: arrays': { file: 'a.csv', input: '1,x\n2,y\n', args: ['--no-header'], json: '[[1,"x"],[2,"y"]]' },
  'names that come twice or not at all': {
    file: 'a.csv',
    input: 'a,a,,a\n1,2,3,4\n',
    json: '[{"a":1,"a_2":2,"column_3":3,"a_3":4}]',
    warning: /a_2, column_3, a_3\n$/,
  },
  'names that JavaScript finds special are ordinary': {
    file: 'a.csv',
    input: '__proto__,constructor,hasOwnProperty,toString\n1,2,3,4\n',
    json: '[{"__proto__":1,"constructor":2,"hasOwnProperty":3,"toString":4}]',
  },
  'formulas are left as they are': { file: 'a.csv', input: 'f\n=1+1\n@x\n', json: '[{"f":"=1+1"},{"f":"@x"}]' },
});

const column = (...cells: string[]) => `c\n${cells.join('\n')}\n`;
const strings = (...cells: string[]) => `[${cells.map((cell) => `{"c":${JSON.stringify(cell)}}`).join(',')}]`;
const values = (...texts: string[]) => `[${texts.map((text) => `{"c":${text}}`).join(',')}]`;

examples('a column is number, boolean or string as a whole', {
  decimals: { file: 'a.csv', input: column('1', '-2.5', '0', '0.25'), json: values('1', '-2.5', '0', '0.25') },
  'one cell that is none makes all of them strings': {
    file: 'a.csv',
    input: column('1', '2', 'n/a'),
    json: strings('1', '2', 'n/a'),
    warning: /ask for --nulls n\/a to get numbers/,
  },
  'even when it is the last of thousands': {
    file: 'a.csv',
    input: column(...Array.from({ length: 5000 }, (_, i) => String(i)), 'x'),
    json: strings(...Array.from({ length: 5000 }, (_, i) => String(i)), 'x'),
  },
  'a leading zero': { file: 'a.csv', input: column('7', '007'), json: strings('7', '007') },
  'a plus sign': { file: 'a.csv', input: column('+4915112345678'), json: strings('+4915112345678') },
  'an exponent': { file: 'a.csv', input: column('1e5', '2'), json: strings('1e5', '2') },
  'twenty digits': { file: 'a.csv', input: column('12345678901234567890', '1'), json: strings('12345678901234567890', '1') },
  'fifteen digits are a number': { file: 'a.csv', input: column('123456789012345'), json: values('123456789012345') },
  'sixteen or seventeen are one where a double prints them': {
    file: 'a.csv',
    input: column('0.30000000000000004', '1234567890123456'),
    json: values('0.30000000000000004', '1234567890123456'),
  },
  'and text where it does not': {
    file: 'a.csv',
    input: column('0.30000000000000002', '1'),
    json: strings('0.30000000000000002', '1'),
  },
  'a signed exponent, or one after a point': {
    file: 'a.csv',
    input: column('1e+05', '1.5e10', '1E-3'),
    json: values('1e+05', '1.5e10', '1E-3'),
  },
  'fifteen digits around a point': { file: 'a.csv', input: column('12345.6789012345'), json: values('12345.6789012345') },
  'a point without digits on both sides': { file: 'a.csv', input: column('.5', '5.'), json: values('0.5', '5') },
  'thousands separators, hexadecimals, words for no number': {
    file: 'a.tsv',
    input: 'a\tb\tc\td\n1,000\t0x10\tNaN\tInfinity\n',
    json: '[{"a":"1,000","b":"0x10","c":"NaN","d":"Infinity"}]',
  },
  'a space before a number': { file: 'a.csv', input: column(' 1', '2'), json: values('1', '2') },
  'booleans in one letter case': {
    file: 'a.csv',
    input: 'a,b\ntrue,TRUE\nfalse,FALSE\n',
    json: '[{"a":true,"b":true},{"a":false,"b":false}]',
  },
  'in two letter cases they are strings': { file: 'a.csv', input: column('true', 'FALSE'), json: strings('true', 'FALSE') },
  'yes, no, 0 and 1 are no booleans': {
    file: 'a.csv',
    input: 'a,b\nyes,1\nno,0\n',
    json: '[{"a":"yes","b":1},{"a":"no","b":0}]',
  },
  'numbers and booleans together are strings': { file: 'a.csv', input: column('true', '1'), json: strings('true', '1') },
  'empty cells are null in any column': {
    file: 'a.csv',
    input: 'n,b,s\n1,true,x\n,,\n2,false,y\n',
    json: '[{"n":1,"b":true,"s":"x"},{"n":null,"b":null,"s":null},{"n":2,"b":false,"s":"y"}]',
    warning: /At least 1 row has only empty cells/,
  },
  'a quoted empty cell is an empty string': {
    file: 'a.csv',
    input: 'a,b\nx,""\ny,\n',
    json: '[{"a":"x","b":""},{"a":"y","b":null}]',
  },
  'and null in a column of numbers': {
    file: 'a.csv',
    input: 'a,b\n1,x\n"",y\n',
    json: '[{"a":1,"b":"x"},{"a":null,"b":"y"}]',
  },
  'a column without any cell is null': { file: 'a.csv', input: 'a,b\n1,\n2,\n', json: '[{"a":1,"b":null},{"a":2,"b":null}]' },
});

examples('types that are asked for', {
  'string: every cell is its text, empty ones too': {
    file: 'a.csv',
    input: 'a,b,c\n1,true,\n2,"",x\n',
    args: ['--types', 'string'],
    json: '[{"a":"1","b":"true","c":""},{"a":"2","b":"","c":"x"}]',
  },
  'by column; the others are still found': {
    file: 'a.csv',
    input: 'zip,age,n\n10115,31,1\n80331,,2\n',
    args: ['--types', '{"zip":"string","age":"number"}'],
    json: '[{"zip":"10115","age":31,"n":1},{"zip":"80331","age":null,"n":2}]',
  },
  boolean: {
    file: 'a.csv',
    input: 'a,b\ntrue,x\n,y\nfalse,z\n',
    args: ['--types', '{"a":"boolean"}'],
    json: '[{"a":true,"b":"x"},{"a":null,"b":"y"},{"a":false,"b":"z"}]',
  },
});

refusals('types for what is not there', {
  'a column that the file does not have, and those that it has': {
    file: 'a.csv',
    input: 'zip,n\n10115,1\n',
    args: ['--types', '{"zpi":"string"}'],
    says: /'zpi'.*zip, n/,
  },
});

refusals('a cell that does not fit the type asked for', {
  'a word in a number column': {
    file: 'a.csv',
    input: 'zip,age\n10115,31\n80331,old\n',
    args: ['--types', '{"age":"number"}'],
    says: /Failed to parse CSV file: .*'?age'?.* at line 3/,
  },
  'a number in a boolean column, after a cell with a line end': {
    file: 'a.csv',
    input: 'note,ok\n"two\nlines",true\nx,1\n',
    args: ['--types', '{"ok":"boolean"}'],
    says: /Failed to parse CSV file: .*'?ok'?.* at line 4/,
  },
});

examples('ragged rows', {
  'missing cells are null': {
    file: 'a.csv',
    input: 'a,b,c\n1\n2,x\n',
    json: '[{"a":1,"b":null,"c":null},{"a":2,"b":"x","c":null}]',
    warning: /^filebridge: .*line 2.*\n$/,
  },
  'extra cells are dropped when that is asked for': {
    file: 'a.csv',
    input: 'a,b\n1,2\n3,4,5,six\n',
    args: ['--ragged', 'cut'],
    json: '[{"a":1,"b":2},{"a":3,"b":4}]',
    warning: /^filebridge: .*line 3.*\n$/,
  },
  'extra cells are kept when that is asked for': {
    file: 'a.csv',
    input: 'a,b\n1,2\n3,4,5,six\n',
    args: ['--ragged', 'keep'],
    json: '[{"a":1,"b":2},{"a":3,"b":4,"_extra":["5","six"]}]',
    warning: /^filebridge: .*line 3.*\n$/,
  },
});

examples('other dialects and values', {
  'German numbers and dates': {
    file: 'a.csv',
    input: 'Datum;Betrag\n31.12.2024;1.234,56\n1.1.2025;-0,5\n',
    args: ['--decimal', ',', '--dates', 'iso'],
    json: '[{"Datum":"2024-12-31","Betrag":1234.56},{"Datum":"2025-01-01","Betrag":-0.5}]',
  },
  'marks of missing values, comments, another quote and escape': {
    file: 'a.csv',
    input: "# made by x\na, b\n'x~'y', NA\n",
    args: ['--nulls', 'NA,-', '--comment', '#', '--quote', "'", '--escape', '~', '--trim'],
    json: '[{"a":"x\'y","b":null}]',
  },
  'missing values as a list in JSON': {
    file: 'a.csv',
    input: 'a\n1\nn/a\n',
    args: ['--nulls', '["n/a"]'],
    json: '[{"a":1},{"a":null}]',
  },
  'a total below the table': {
    file: 'a.csv',
    input: 'a,b\n1,2\n3,4\n\nTotal: 6\n',
    json: '[{"a":1,"b":2},{"a":3,"b":4}]',
    warning: /^filebridge: Line 5 below the table was skipped.*\n$/,
  },
});

refusals('tables that are broken', {
  'extra cells name their line': { file: 'a.csv', input: 'a,b\n1,2\n3,4,5\n', says: /Failed to parse CSV file: .* at line 3/ },
  'in a TSV too': { file: 'a.tsv', input: 'a\tb\n1\t2\t3\n', says: /Failed to parse TSV file: .* at line 2/ },
  'a quote that never closes': {
    file: 'a.csv',
    input: 'a,b\n1,2\n3,"four\n5,6\n',
    says: /Failed to parse CSV file: .*quote.* at line 3/,
  },
  'lines are counted as an editor counts them': {
    file: 'a.csv',
    input: 'a,b\r\n"x\r\ny\r\nz",2\r\n3,4,5\r\n',
    says: /Failed to parse CSV file: .* at line 5/,
  },
});
