/** A typical script: reads a whole CSV file, parses it with papaparse, prints JSON. */
import { readFileSync } from 'node:fs';
import papaparse from 'papaparse';

const [file = ''] = process.argv.slice(2);
const { data } = papaparse.parse(readFileSync(file, 'utf8'), { header: true, dynamicTyping: true, skipEmptyLines: true });
process.stdout.write(JSON.stringify(data));
