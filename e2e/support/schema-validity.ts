/** What is wrong with a published JSON Schema, by the meta-schema it declares. */
import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from './mcp-clients.ts';

/** MCP takes a schema that declares nothing for 2020-12. */
const UNDECLARED = 'https://json-schema.org/draft/2020-12/schema';
const DRAFT_07 = 'http://json-schema.org/draft-07/schema';

/** Formats and keywords that a validator does not know are no errors, by the specification. */
const options = { strict: false, validateFormats: false, allErrors: true };

const validators: Record<string, Ajv | Ajv2020> = { [UNDECLARED]: new Ajv2020(options), [DRAFT_07]: new Ajv(options) };

/** Nothing for a schema that is valid and whose references all lead somewhere. */
export function schemaFaults(schema: JsonObject): string[] {
  const declared = String(schema.$schema ?? UNDECLARED).replace(/#$/, '');
  const ajv = validators[declared];
  if (ajv === undefined) return [`no validator for ${declared}`];
  if (ajv.validateSchema(schema) !== true) return (ajv.errors ?? []).map(faultOf);
  try {
    ajv.compile(schema);
    return [];
  } catch (error) {
    return [String(error)];
  } finally {
    // Schemas of two tools may share an $id.
    ajv.removeSchema(schema);
  }
}

const faultOf = ({ instancePath, message }: ErrorObject): string => `${instancePath} ${message}`;
