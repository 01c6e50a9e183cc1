/** Before each test file: its worker's virtual screen, where there are some. */
import { inject } from 'vitest';

const screens = inject('screens');
if (screens.length > 0) process.env.DISPLAY = screens[(Number(process.env.VITEST_POOL_ID) - 1) % screens.length] as string;
