/** The script that people write: CSV read whole, parsed by papaparse, printed as JSON. */
import { readFileSync } from 'node:fs';
import papaparse from 'papaparse';

const [file = ''] = process.argv.slice(2);
const { data } = papaparse.parse(readFileSync(file, 'utf8'), { header: true, dynamicTyping: true, skipEmptyLines: true });
process.stdout.write(JSON.stringify(data));
