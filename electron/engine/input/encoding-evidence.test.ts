/** Encodings by the words of a text: right, or asked about; never wrong without a word. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { convertBytes, failureOf, parsedOf } from '../fixtures/conversion-fixture.ts';
import { encoded } from '../fixtures/encode.ts';
import { encodingEvidence } from './encoding-evidence.ts';
import { OddLines } from './utf8.ts';

function linesOf(bytes: Uint8Array, size = bytes.length): OddLines {
  const odd = new OddLines();
  for (let at = 0; at < bytes.length; at += size) odd.push(bytes.slice(at, at + size));
  odd.end();
  return odd;
}
const evidenceOf = (bytes: Uint8Array) => encodingEvidence(linesOf(bytes));

describe('a table of a few rows', () => {
  it.each([
    ['shift_jis', '商品,価格\nリンゴ,120\nバナナ,80\n'],
    ['shift_jis', '名前,都市\n田中,東京\n鈴木,大阪\n'],
    ['euc-jp', '氏名,住所\n山田太郎,東京都\n佐藤花子,大阪府\n'],
    ['gb18030', '姓名,城市\n张伟,北京\n李娜,上海\n'],
    ['big5', '姓名,城市\n張偉,臺北\n李娜,高雄\n'],
    ['euc-kr', '이름,도시\n김철수,서울\n박지성,부산\n'],
    ['windows-1251', 'имя,город\nАнна,Москва\nПётр,Казань\n'],
    ['koi8-r', 'имя,город\nАнна,Москва\nПётр,Казань\n'],
    ['ibm866', 'имя,город\nАнна,Москва\nПётр,Казань\n'],
    ['windows-1250', 'imię,miasto\nGrażyna,Wrocław\nŁukasz,Łódź\nŚwiętosława,Kraków\n'],
    ['windows-1250', 'jméno,město\nŽaneta,Příbram\nJiří,Plzeň\nŠtěpán,Třebíč\n'],
    ['windows-1254', 'ad,şehir\nÇağlar,İstanbul\n'],
    ['windows-1253', 'όνομα,πόλη\nΓιάννης,Αθήνα\n'],
    ['windows-1255', 'שם,עיר\nדוד,חיפה\n'],
    ['macintosh', 'Straße;Größe\nMüller;Äpfel\nJürgen;Köln\nJörg;Düsseldorf\n'],
    ['windows-1252', 'prénom,ville\nFrançois,Besançon\nZoë,“Paris”\n'],
    ['windows-1252', 'Straße;Größe\nMüller;Äpfel\n'],
    ['windows-1252', 'año,señal\nMuñoz,¿Qué?\n'],
    ['windows-1252', 'navn,by\nSøren,Ærø\nÅse,Århus\n'],
    ['windows-1252', 'item,price\ntea,£3\n'],
    ['windows-1252', 'item,price\ntea,3 €\n'],
    ['windows-1252', 'note\nit’s\n'],
    ['windows-1252', 'note\na – b\n'],
    ['windows-1252', 'note\n© 2024 Acme\n'],
    ['windows-1252', 'note\n§ 5\n'],
    ['windows-1252', 'size\n5 µm\n'],
    ['windows-1252', 't\n21°C\n'],
    ['windows-1252', 'name\ncafé\n'],
  ])('in %s is read right: %j', async (encoding, text) => {
    const bytes = encoding === 'windows-1252' ? in1252(text) : encoded(text, encoding);
    const found = evidenceOf(bytes);
    expect(found.kind).toBe('sure');
    const { report } = await convertBytes('a.txt', bytes);
    expect(report.warnings).toMatchObject([
      { code: 'ENCODING_GUESSED', message: expect.stringContaining(`read as ${report.encoding} by`) },
    ]);
    expect(await parsedOf('a.txt', bytes)).toBe(text);
  });

  /** Several releases of Node decode the bytes 0x80–0x9F as controls. */
  function in1252(text: string): Uint8Array {
    const high = new Map(Object.entries({ '€': 0x80, '‘': 0x91, '’': 0x92, '“': 0x93, '”': 0x94, '–': 0x96 }));
    return Uint8Array.from([...text].map((character) => high.get(character) ?? character.charCodeAt(0)));
  }

  it.each([
    ['windows-1257', 'šalis,sostinė\nLietuva,Vilnius\nČekija,Praha\n', /windows-1257 reads 'šalis'/],
    ['windows-1250', 'ime,grad\nIvan,Čakovec\n', /windows-1252 reads 'Èakovec', windows-1250 reads 'Čakovec'/],
  ])('in %s is refused with the readings where it is not sure: %j', async (encoding, text, says) => {
    const error = await failureOf('a.csv', encoded(text, encoding));
    expect(error).toMatchObject({ code: 'ENCODING_INVALID', message: expect.stringMatching(says) });
    expect(error.hint).toMatch(/^Name the one that reads right, as with encoding: "windows-/);
  });
});

describe('a text of two encodings', () => {
  const german = 'Müller,Köln\nJürgen,Düsseldorf\n';
  const latin1 = encoded(german, 'iso-8859-2');

  it.each([
    ['one after the other', Buffer.concat([Buffer.from(`name,city\n${german}`), latin1])],
    ['within a line', Buffer.concat([Buffer.from('Zoë,'), latin1])],
    ['much of one, little of the other', Buffer.concat([Buffer.from('Zoë,5\n'.repeat(20_000)), latin1.subarray(0, 12)])],
    ['UTF-8 and Cyrillic', Buffer.concat([Buffer.from('Привет,мир\n'), encoded('Анна,Москва\n', 'windows-1251')])],
  ])('is refused: %s', async (_, bytes) => {
    expect(await failureOf('a.csv', bytes)).toMatchObject({
      code: 'ENCODING_INVALID',
      message: expect.stringMatching(/mixes two encodings: '(Müller|Zoë|Привет)' is UTF-8/),
      hint: expect.stringMatching(/Save all of it as UTF-8/),
    });
  });
});

it('bytes that are no text in any encoding are refused', async () => {
  const bytes = Uint8Array.from({ length: 4000 }, (_, index) => ((index * 7919) % 251) + 5);
  expect(await failureOf('a.csv', bytes)).toMatchObject({
    code: 'ENCODING_INVALID',
    message: expect.stringMatching(/reads as a text in no other encoding/),
  });
});

it('the lines are the same at any chunking, short ones whole and long ones cut between characters', () => {
  const part = fc.constantFrom('a,b', '\n', '\r\n', '北京', ' ', 'x'.repeat(999), '東京 '.repeat(400), '\n\n');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.integer({ min: 1, max: 50 }), (parts, size) => {
      const bytes = encoded(parts.join(''), 'gb18030').slice();
      const [whole, pieces] = [linesOf(bytes), linesOf(bytes, size)];
      expect(Buffer.from(pieces.sample)).toEqual(Buffer.from(whole.sample));
      expect(Buffer.from(pieces.utf8)).toEqual(Buffer.from(whole.utf8));
      expect(() => new TextDecoder('gb18030', { fatal: true }).decode(whole.sample)).not.toThrow();
    }),
    { numRuns: runs(200) },
  );
});
