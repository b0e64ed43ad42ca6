import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import type { Environment } from '../environment.ts'
import { CommandError, throwFileError } from './command-error.ts'

export interface CopyOptions {
  args: readonly string[]
  passphrase?: boolean
  plain?: boolean
  'with-key'?: boolean
  'without-logs'?: boolean
  replace?: boolean
  to?: string
  'passphrase-file'?: string
}

/** Whether a new backup is encrypted with a passphrase instead of the key of the installation. */
export function usesPassphrase(options: CopyOptions): boolean {
  return options.passphrase === true || options['with-key'] === true || options['passphrase-file'] !== undefined
}

/** Reads the passphrase of a backup, without the line break that editors add at the end of a file. */
export async function readPassphrase(environment: Environment, options: CopyOptions): Promise<string> {
  const file = options['passphrase-file']
  const passphrase =
    file === undefined
      ? environment.TIDEGATE_CONFIG_PASSPHRASE
      : (await readFile(file, 'utf8').catch(throwFileError(file))).replace(/\r?\n$/, '')
  if (passphrase === undefined) {
    throw new CommandError(
      'This backup needs a passphrase: give --passphrase-file FILE or set TIDEGATE_CONFIG_PASSPHRASE.',
    )
  }
  const least = api.SHORTEST_PASSPHRASE
  if (passphrase.length < least) throw new CommandError(`The passphrase must have at least ${least} characters.`)
  return passphrase
}
