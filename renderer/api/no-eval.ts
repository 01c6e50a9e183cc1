/** Tells zod not to compile code at run time, which the page's policy forbids; loaded before any schema is made. */
import { config } from 'zod';

config({ jitless: true });
