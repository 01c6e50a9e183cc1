/** In which form a text parameter wants a file, by everything that a tool's definition may say of it. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../engine/core/json-object.ts';
import { fillsBeside, formEvidence } from './text-form.ts';

const text = { type: 'string' };
const tool = (properties: JsonObject, more: JsonObject = {}, description?: string) => ({
  name: 'upload',
  description,
  inputSchema: { type: 'object', properties, ...more },
});
const formOf = (properties: JsonObject, name: string, args?: JsonObject) => formEvidence(tool(properties), [name], args)?.form;
const described = (description: string, name = 'content') => formEvidence(tool({ [name]: { ...text, description } }), [name]);

describe('bytes as base64', () => {
  it.each([
    'Base64-encoded content of the file',
    'Base64 encoded file content',
    'The file content, base64-encoded',
    'File data in base64 format',
    'Content of the attachment as a base64 string',
    'base64 string of the image',
    'Image data (base64)',
    'Must be Base 64 encoded',
    'Base64-kodierter Inhalt der Datei',
    'Inhalt der Datei, als Base64 kodiert',
    'Contenu du fichier encodé en base64',
    'Contenido del archivo codificado en base64',
    'Contenido en Base64 del archivo',
    'Base64编码的文件内容',
    '文件内容（base64 编码）',
    'Base64エンコードされたファイルの内容',
    'ファイルの内容（Base64形式）',
    'Raw base64 (without the data: prefix)',
    'Base64-encoded bytes, no data URI prefix',
    'URL of the image or base64-encoded image data',
    "Contenu d'un fichier encodé en base64",
    'Contenido de un archivo en base64',
    'Must be base64-encoded before upload',
    'Encode the file as base64',
    'Base64 data, must not exceed 10 MB of base64',
    "Base64 image data without the 'base64,' prefix",
  ])('%s', (description) => {
    expect(described(description)).toMatchObject({ form: 'base64', orText: false });
  });

  it.each([
    'Plain text or base64-encoded content',
    'The content, base64-encoded for binary files',
    'UTF-8 text, or base64 if the file is binary',
    'Text or base64 string',
    'Optionally base64 encoded',
    'Inhalt als Text oder base64',
  ])('or as text: %s', (description) => {
    expect(described(description)).toMatchObject({ form: 'base64', orText: true });
  });

  it.each([
    'Plain text content, not base64',
    'Do not base64 encode the content',
    "Text of the file; don't use base64",
    'Content of the file (will be base64 encoded automatically)',
    'The text. It is base64-encoded for you',
    'The tool encodes it as base64',
    'Base64url encoded message',
    'Inhalt der Datei, nicht base64-kodiert',
    'Contenu du fichier, sans encodage base64',
    'Contenido del archivo, sin base64',
    '文件内容，不要base64编码',
    'The content of the file',
  ])('not: %s', (description) => {
    expect(described(description)?.form).not.toBe('base64');
  });

  it.each([
    'content_base64',
    'base64',
    'contentB64',
    'b64',
    'base64Content',
    'imageBase64',
    'b64_json',
    'fileContentBase64',
    'base64_image',
  ])('by the name %s', (name) => expect(formOf({ [name]: text }, name)).toBe('base64'));

  it.each(['mybase', 'base64_name', 'content', 'basement64th'])('not by the name %s', (name) =>
    expect(formOf({ [name]: text }, name)).toBeUndefined(),
  );

  it.each<[string, JsonObject]>([
    ['contentEncoding', { contentEncoding: 'base64' }],
    [
      'contentEncoding in an alternative',
      { anyOf: [{ type: 'string', contentEncoding: 'BASE64' }, { type: 'null' }], type: undefined },
    ],
    ['format byte', { format: 'byte' }],
    ['format base64', { format: 'base64' }],
    ['format binary', { format: 'binary' }],
    ['a media type of bytes', { contentMediaType: 'image/png' }],
    ['an example of a picture', { examples: ['iVBORw0KGgoAAAANSUhEUgAA'] }],
  ])('by %s', (_, more) => expect(formOf({ content: { ...text, ...more } }, 'content')).toBe('base64'));

  it('by an encoding beside it: given, fixed, or to choose', () => {
    const choice = { content: text, encoding: { type: 'string', enum: ['utf-8', 'base64'] } };
    expect(formEvidence(tool(choice), ['content'], { encoding: 'base64' })).toMatchObject({ form: 'base64', orText: false });
    expect(formEvidence(tool(choice), ['content'], { encoding: 'utf-8' })).toMatchObject({ form: 'text' });
    const open = formEvidence(tool(choice), ['content'], {});
    expect(open).toMatchObject({ form: 'base64', orText: true, fill: { name: 'encoding', value: 'base64' } });
    const fixed = { content: text, encoding: { const: 'base64' } };
    expect(formEvidence(tool(fixed), ['content'])).toMatchObject({ form: 'base64', orText: false });
    const nested = { files: { type: 'array', items: { type: 'object', properties: choice } } };
    const args = { files: [{ encoding: 'utf-8' }, { encoding: 'base64' }] };
    expect(formEvidence(tool(nested), ['files', 0, 'content'], args)?.form).toBe('text');
    expect(formEvidence(tool(nested), ['files', 1, 'content'], args)?.form).toBe('base64');
  });

  it('whatever an encoding beside it is about that is no choice between both', () => {
    const named = { content_base64: text, encoding: text };
    expect(formEvidence(tool(named), ['content_base64'], { encoding: 'utf-8' })?.form).toBe('base64');
    const audio = { content: { ...text, description: 'Base64-encoded audio' }, encoding: { enum: ['FLAC', 'MP3'] } };
    expect(formEvidence(tool(audio), ['content'], { encoding: 'FLAC' })?.form).toBe('base64');
    const choice = { content: text, encoding: { enum: ['utf-8', 'base64'] } };
    expect(formEvidence(tool(choice), ['content'], { encoding: null })).toMatchObject({ orText: true });
    const preset = { content: text, encoding: { enum: ['base64', 'utf-8'], default: 'base64' } };
    expect(formEvidence(tool(preset), ['content'])).toMatchObject({ form: 'base64', orText: false });
    const flag = { content: text, is_base64: { type: 'boolean' } };
    expect(formEvidence(tool(flag), ['content'])).toMatchObject({ orText: true, fill: { name: 'is_base64', value: true } });
  });

  it('of a value that may be a list or an object only for what is no text', () => {
    const union = { document: { type: ['string', 'object'], description: 'The document as JSON' } };
    expect(formEvidence(tool(union), ['document'])).toBeUndefined();
    expect(formEvidence(tool({ document: { description: 'The document as JSON' } }), ['document'])).toBeUndefined();
    const bytes = { file: { type: ['string', 'object'], description: 'Base64 or an object' } };
    expect(formEvidence(tool(bytes), ['file'])).toMatchObject({ form: 'base64', orText: true, orValue: true });
  });

  it('by a media type beside it, a text only where it may be one', () => {
    const pair = (name: string) => formEvidence(tool({ [name]: text, mimeType: text }), [name]);
    for (const name of ['data', 'file_data', 'image', 'bytes', 'audio_data'])
      expect(pair(name), name).toMatchObject({ form: 'base64', orText: false });
    expect(pair('content')).toMatchObject({ form: 'base64', orText: true });
    expect(pair('caption')).toBeUndefined();
    expect(formOf({ data: text }, 'data')).toBeUndefined();
  });

  it("by the tool's own description", () => {
    const about = (own: string) => formEvidence(tool({ content: text, title: text }, {}, own), ['content']);
    expect(about('Uploads a file. Send its content base64-encoded.')).toMatchObject({ form: 'base64', orText: true });
    expect(about('Writes a text file.')).toBeUndefined();
    expect(formEvidence(tool({ content: text, title: text }, {}, 'Content is base64.'), ['title'])).toBeUndefined();
  });
});

describe('other forms', () => {
  it.each([
    ['A data URI of the image', 'data_uri'],
    ['Image as data URL', 'data_uri'],
    ['data:image/png;base64,... string', 'data_uri'],
    ['Base64 data URI', 'data_uri'],
    ['URL or data URI of the picture', 'data_uri'],
    ['Page content in Markdown', 'markdown'],
    ['HTML of the mail', 'html'],
    ['CSV text to import', 'csv'],
    ['The data as a JSON string', 'json'],
    ['Stringified JSON', 'json'],
    ['JSON-encoded array of rows', 'json'],
  ])('%s: %s', (description, form) => expect(described(description)?.form).toBe(form));

  it.each([
    ['markdown', 'markdown'],
    ['body_html', 'html'],
    ['csv', 'csv'],
    ['jsonData', undefined],
    ['dataUri', 'data_uri'],
    ['image_data_url', 'data_uri'],
  ])('by the name %s: %s', (name, form) => expect(formOf({ [name]: text }, name)).toBe(form));

  it.each([
    "The file's content (Markdown, CSV, HTML or JSON)",
    'Plain text only, no Markdown',
    'Plain text or Markdown',
    'Any text, for example JSON',
    'Text without HTML',
  ])('none by: %s', (description) => expect(described(description)).toBeUndefined());

  it('by an example', () => {
    expect(formOf({ image: { ...text, examples: ['data:image/png;base64,iVBO'] } }, 'image')).toBe('data_uri');
  });

  it('lists and objects have no form of text', () => {
    expect(formOf({ content: { type: 'array', description: 'base64 strings' } }, 'content')).toBeUndefined();
  });
});

describe('what describes a file beside it', () => {
  const file = { name: 'a.png', mediaType: 'image/png', isBytes: true, fill: undefined };
  const properties = { data: text, filename: text, mimeType: text, title: text };

  it('is filled in where it is not given', () => {
    const filled = (args: JsonObject) =>
      fillsBeside(tool(properties), ['data'], args, file).map(({ segments, value }) => [segments.join('.'), value]);
    expect(filled({})).toEqual([
      ['filename', 'a.png'],
      ['mimeType', 'image/png'],
    ]);
    expect(filled({ filename: 'b.png' })).toEqual([['mimeType', 'image/png']]);
  });

  it('is not what describes another file, or the answer', () => {
    const other = { image_base64: text, output_filename: text, output_mime_type: text, thumbnail_mime_type: text };
    expect(fillsBeside(tool(other), ['image_base64'], {}, file)).toEqual([]);
    const own = { image_base64: text, image_filename: text, image_mime_type: text };
    expect(fillsBeside(tool(own), ['image_base64'], {}, file)).toHaveLength(2);
    const cms = { data: text, content_type: { ...text, description: 'Kind of entry, e.g. post or page' } };
    expect(fillsBeside(tool(cms), ['data'], {}, file)).toEqual([]);
  });

  it('is filled in beside a text only if the tool needs it, and never with a value that it refuses', () => {
    const asText = { ...file, isBytes: false };
    expect(fillsBeside(tool(properties), ['data'], {}, asText)).toEqual([]);
    expect(fillsBeside(tool(properties, { required: ['filename'] }), ['data'], {}, asText)).toHaveLength(1);
    const picky = { ...properties, mimeType: { enum: ['image/jpeg'] } };
    expect(fillsBeside(tool(picky), ['data'], {}, file).map(({ value }) => value)).toEqual(['a.png']);
  });
});
