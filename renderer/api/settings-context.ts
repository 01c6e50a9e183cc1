/** The settings, for every page below the one that fetches them. */
import { createContext, useContext } from 'react';
import type { Settings } from '../../shared/contract/settings.ts';

export const SettingsContext = createContext<Settings | undefined>(undefined);

/** Undefined while the program cannot be reached. */
export const useSettings = (): Settings | undefined => useContext(SettingsContext);
