/** Validates a published JSON Schema against the meta-schema it declares. */
import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from './mcp-clients.ts';

/** MCP's default for a schema without `$schema` is 2020-12. */
const UNDECLARED = 'https://json-schema.org/draft/2020-12/schema';
const DRAFT_07 = 'http://json-schema.org/draft-07/schema';

/** By the specification, unknown formats and keywords are not errors. */
const options = { strict: false, validateFormats: false, allErrors: true };

const validators: Record<string, Ajv | Ajv2020> = { [UNDECLARED]: new Ajv2020(options), [DRAFT_07]: new Ajv(options) };

/** Empty for a valid schema whose references all resolve. */
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
    // Schemas of two tools may have the same $id.
    ajv.removeSchema(schema);
  }
}

const faultOf = ({ instancePath, message }: ErrorObject): string => `${instancePath} ${message}`;
