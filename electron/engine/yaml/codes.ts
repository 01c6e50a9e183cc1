/** Unquoted values that YAML takes for numbers, though they may be codes: the number is not written as they are. */
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';

/** A leading zero (01067), digits e digits (1234e8), a trailing zero after the point (12.10, of a version). */
const MAY_BE_CODE = /^[-+]?0\d|^\d+[eE]\d+$|\.\d*[1-9]0+$/;

export class Codes {
  /** JSON of the key that comes before the value, with or without its colon. */
  key = '""';
  private values = 0;
  private first: { key: string; source: string; json: string } | undefined;

  /** `json` is the number's text. */
  see(source: string, json: string): void {
    if (!MAY_BE_CODE.test(source)) return;
    this.values++;
    this.first ??= { key: this.key, source, json };
  }

  warnings(): Warning[] {
    if (this.first === undefined) return [];
    const { key, source, json } = this.first;
    const name = String(JSON.parse(key.endsWith(':') ? key.slice(0, -1) : key));
    return [warning('YAML_NUMBERS', say('yaml.numbers', { values: this.values, name, source, json }))];
  }
}
