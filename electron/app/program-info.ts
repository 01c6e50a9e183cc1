/** Name and version, as clients, servers and people see them. */
import manifest from '../../package.json' with { type: 'json' };

export const programInfo = { name: manifest.name, version: manifest.version } as const;
