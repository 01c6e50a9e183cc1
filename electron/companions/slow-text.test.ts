/** Quadratic work on such texts takes minutes in `slow-text.slow.test.ts`. */
import { testSlowTexts } from './fixtures/slow-texts.ts';

testSlowTexts(40_000);
