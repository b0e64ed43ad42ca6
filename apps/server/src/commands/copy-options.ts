import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import type { Environment } from '../environment.ts'
import { Mistake, mistakeWith } from './mistake.ts'

/** What the commands that copy a whole site take beside their words; `--passphrase-file` is that of `config`. */
export const COPY_OPTIONS = {
  'with-key': { type: 'boolean' },
  'without-logs': { type: 'boolean' },
  replace: { type: 'boolean' },
  to: { type: 'string' },
} as const

export interface CopyOrder {
  words: readonly string[]
  'with-key'?: boolean
  'without-logs'?: boolean
  replace?: boolean
  to?: string
  'passphrase-file'?: string
}

/** What seals the key within a backup. The line break that an editor leaves at the end of a file is no part of it. */
export async function readPassphrase(environment: Environment, order: CopyOrder): Promise<string> {
  const file = order['passphrase-file']
  const passphrase =
    file === undefined
      ? environment.TIDEGATE_CONFIG_PASSPHRASE
      : (await readFile(file, 'utf8').catch(mistakeWith(file))).replace(/\r?\n$/, '')
  if (passphrase === undefined) {
    throw new Mistake('The key in a backup is sealed: give --passphrase-file FILE or set TIDEGATE_CONFIG_PASSPHRASE.')
  }
  const least = api.SHORTEST_PASSPHRASE
  if (passphrase.length < least) throw new Mistake(`The passphrase must have at least ${least} characters.`)
  return passphrase
}
