import { describe, expect, it } from 'vitest';
import { convertBytes, failureOf, jsonText, parsedOf } from '../fixtures/conversion-fixture.ts';

const mail = (head: readonly string[], body: string) => Buffer.from([...head, '', body].join('\r\n'), 'latin1');
const simple = mail(
  [
    'From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>',
    'To: a@example.org, "Bo, B" <b@example.org>',
    'Subject: =?ISO-8859-1?B?R3L832U=?=',
    'Date: Fri, 31 Jan 2025 10:00:00 +0100',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
  ],
  'Sch=F6ne Gr=FC=DFe, der lange Satz ist=\r\n umgebrochen.\r\n\r\nBye\r\n> said before\r\n> more',
);
const part = (head: readonly string[], body: string) => ['--b', ...head, '', body].join('\r\n');
const attached = mail(
  ['From: a@example.org', 'Subject: Files', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b"'],
  [
    part(['Content-Type: text/html'], '<p>Hello <b>you</b></p><table><tr><td>a<td>b</table>'),
    part(['Content-Type: text/csv', 'Content-Disposition: attachment; filename="x.csv"'], 'id,zip\r\n1,01067'),
    part(['Content-Type: text/csv', 'Content-Disposition: attachment; filename="x.csv"'], 'id\r\n2'),
    part(['Content-Type: message/rfc822'], 'From: c@example.org\r\nSubject: Inner\r\n\r\nfirst'),
    '--b--',
  ].join('\r\n'),
);

describe('a mail', () => {
  it('comes decoded: head, text, what was said before', async () => {
    expect(await parsedOf('a.eml', simple)).toBe(
      [
        '# Grüße',
        '**From:** Jürgen <j@example.org>  \n**To:** a@example.org, Bo, B <b@example.org>  \n**Date:** Fri, 31 Jan 2025 10:00:00 +0100',
        'Schöne Grüße, der lange Satz ist umgebrochen.',
        'Bye',
        '> said before  \n> more',
      ].join('\n\n'),
    );
  });

  it('names what is attached, each to be read as a file of its own', async () => {
    const conversion = await convertBytes('a.eml', attached);
    expect(JSON.parse(await jsonText(conversion))).toContain('Hello **you**\n\n| a | b |');
    expect(JSON.parse(await jsonText(conversion))).toContain('Attached:\n\n- x.csv');
    expect(conversion.report.entries).toEqual(['x.csv', 'x-2.csv', 'attachment-3.eml']);
    expect(await parsedOf('a.eml', attached, { entry: 'x.csv' })).toEqual([{ id: 1, zip: '01067' }]);
    expect(await parsedOf('a.eml', attached, { entry: 'x-2.csv' })).toEqual([{ id: 2 }]);
    expect(await parsedOf('a.eml', attached, { entry: 'attachment-3.eml' })).toContain('# Inner');
    expect(await parsedOf('a.eml', attached, { table: '1', header: false })).toEqual([['a', 'b']]);
    expect(await failureOf('a.eml', attached, { entry: 'y.csv' })).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it.each([
    ['of its text', ['From: a@b.c', 'Content-Type: text/plain;', ' charset="utf-7"'], 'utf-7'],
    [
      'of its subject',
      ['From: a@b.c', 'Subject: =?x-mac-klingon?Q?a=80?=', 'Content-Type: text/plain; charset=us-ascii'],
      'x-mac-klingon',
    ],
  ])('in an encoding that is not known says so: %s', async (_, head, name) => {
    const { report } = await convertBytes('a.eml', mail(head, 'text'));
    expect(report.warnings.map(({ message }) => message)).toEqual([
      `The mail has text in the encoding ${name}, which is not known: letters in it may be wrong`,
    ]);
    expect((await convertBytes('a.eml', simple)).report.warnings).toEqual([]);
  });

  it('whose page has no words is its text', async () => {
    const body = [
      part(['Content-Type: text/plain'], 'the words'),
      part(['Content-Type: text/html'], '<img src="cid:x">'),
      '--b--',
    ].join('\r\n');
    const both = mail(
      ['From: a@b.c', 'Subject: S', 'MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary="b"'],
      body,
    );
    expect(await parsedOf('a.eml', both)).toContain('the words');
  });

  it.each([
    ['nothing', ''],
    ['any text', 'Hello, this is no mail.'],
  ])('is not seen in %s', async (_, text) => {
    expect(await failureOf('a.eml', text)).toMatchObject({ code: 'PARSE_FAILED' });
  });
});

describe('a mailbox', () => {
  const box = Buffer.from(
    'From a@x Mon Jan  1 00:00:00 2024\nFrom: a@x.org\nSubject: One\n\nfirst\n>From here on\n\nFrom b@x Mon Jan  1 00:00:00 2024\nFrom: b@x.org\nSubject: Two\n\nsecond\n',
  );

  it('is its mails, each of them a file too', async () => {
    const text = String(await parsedOf('a.mbox', box));
    expect(text).toContain('## One');
    expect(text).toContain('From here on');
    expect(text).toContain('## Two');
    const { report } = await convertBytes('a.mbox', box);
    expect(report.entries).toEqual(['1.eml', '2.eml']);
    expect(await parsedOf('a.mbox', box, { entry: '2.eml' })).toContain('# Two');
  });

  it('is not seen in any text', async () => {
    expect(await failureOf('a.mbox', 'Hello')).toMatchObject({ code: 'PARSE_FAILED' });
  });
});
