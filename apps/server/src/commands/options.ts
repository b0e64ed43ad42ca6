import type { parseArgs } from 'node:util'

/** Options of all commands. They are here so that parsing them loads no command. */
export const COMMAND_OPTIONS = {
  role: { type: 'string' },
  output: { type: 'string', short: 'o' },
  secrets: { type: 'boolean' },
  'passphrase-file': { type: 'string' },
  prune: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  passphrase: { type: 'boolean' },
  plain: { type: 'boolean' },
  'with-key': { type: 'boolean' },
  'without-logs': { type: 'boolean' },
  replace: { type: 'boolean' },
  to: { type: 'string' },
  from: { type: 'string' },
  product: { type: 'string' },
  source: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  logs: { type: 'boolean' },
  since: { type: 'string' },
  'skip-clashes': { type: 'boolean' },
  user: { type: 'string' },
  all: { type: 'boolean' },
  format: { type: 'string' },
  digest: { type: 'boolean' },
  against: { type: 'string' },
  'repair-log': { type: 'boolean' },
  backup: { type: 'string' },
  site: { type: 'boolean' },
  'settle-seconds': { type: 'string' },
} as const

export type CommandValues = ReturnType<typeof parseArgs<{ options: typeof COMMAND_OPTIONS }>>['values']
