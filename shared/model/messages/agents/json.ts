/** Messages about invalid JSON. */
type Named = { article: boolean };

export const json = {
  'character.nul': ({ article }: Named) => (article ? 'a NUL character' : 'NUL character'),
  'character.tab': ({ article }: Named) => (article ? 'a tab' : 'tab'),
  'character.lineBreak': ({ article }: Named) => (article ? 'a line break' : 'line break'),
  'character.space': ({ article }: Named) => (article ? 'a space' : 'space'),
  'character.nonAscii': ({ article }: Named) => (article ? 'a non-ASCII character' : 'non-ASCII character'),
  'character.control': ({ codePoint, article }: Named & { codePoint: string }) =>
    `${article ? 'the ' : ''}control character U+${codePoint}`,

  'json.inString': ({ found }: { found: string }) => `${found} inside a string (it must be escaped)`,
  'json.inNumber': ({ found }: { found: string }) => `unexpected ${found} in a number`,
  'json.noEscape': ({ found }: { found: string }) => `\\ followed by ${found} is not an escape`,
  'json.inHexEscape': ({ found }: { found: string }) => `${found} in a \\u escape, which takes four hex digits`,
  'json.noWord': ({ found }: { found: string }) => `unexpected ${found}; only true, false and null are words`,
  'json.noComma': ({ found, closing }: { found: string; closing: string }) =>
    `unexpected ${found}; "," or ${closing} was expected`,
  'json.afterEnd': ({ found }: { found: string }) => `unexpected ${found} after the end of the value`,
  'json.notFinite.hint': 'JSON has no NaN and no Infinity: write null, or the words in quotes',
  'json.python.hint': 'It looks like Python: write it with json.dumps(…) instead of str(…) or repr(…)',
  'json.emptyFile': 'the file is empty',
  'json.emptyLine': 'the line is empty',
  'json.endsInside': ({ unit, inside }: { unit: 'file' | 'line'; inside: keyof typeof parts }) =>
    `the ${unit} ends inside ${parts[inside]}`,
  'json.wrongClosing': ({ found, closing }: { found: string; closing: string }) => `${found} where ${closing} was expected`,
  'json.unexpected': ({ found, expected: what }: { found: string; expected: keyof typeof expected }) =>
    `unexpected ${found}; ${expected[what]} was expected`,
};

const parts = { string: 'a string', array: 'an array', object: 'an object', word: 'a word', number: 'a number' };

const expected = {
  value: 'a value',
  valueOrEnd: 'a value or "]"',
  keyOrEnd: 'a key in double quotes or "}"',
  key: 'a key in double quotes',
  colon: '":"',
};
