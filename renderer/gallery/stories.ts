/** All components of renderer/ui with their states. A test compares this list with what renderer/ui exports. */
import { dataStories } from './data-stories.tsx';
import { formStories } from './form-stories.tsx';
import { pageStories } from './page-stories.tsx';
import type { Stories } from './samples.ts';

export const stories: Stories = { ...formStories, ...pageStories, ...dataStories };
