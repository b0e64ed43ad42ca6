import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { api, ApiError } from '@tidegate/contract'
import { applyConfig, exportConfig, planConfig } from '@tidegate/control'
import { describeSchemaProblem, inspectSchema } from '@tidegate/storage'
import { type Environment, readVariable } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openStorage, type Storage } from '../process/open-storage.ts'
import { CommandError, throwFileError } from './command-error.ts'

interface ConfigOptions {
  args: readonly string[]
  output?: string
  secrets?: boolean
  'passphrase-file'?: string
  prune?: boolean
  yes?: boolean
}

const EXIT_CHANGES = 2

/**
 * `tidegate config`: exports the site to a file, compares a file with the site, or applies it. Returns the exit code.
 */
export async function config(environment: Environment, log: Logger, options: ConfigOptions): Promise<number> {
  const [verb, file] = options.args
  const isKnown = verb === 'export' || ((verb === 'diff' || verb === 'apply') && file !== undefined)
  if (!isKnown) return fail('Use: tidegate config export, tidegate config diff FILE or tidegate config apply FILE.')
  try {
    const passphrase = await readPassphrase(environment, options)
    if (verb === 'export' && options.secrets) requirePassphrase(passphrase)
    const yaml = verb === 'export' ? '' : await readYaml(file!)
    return await withSite(environment, log, (storage) =>
      verb === 'export'
        ? writeConfig(storage, options, options.secrets ? passphrase : undefined)
        : diffOrApply(storage, options, { verb, yaml, passphrase }),
    )
  } catch (error) {
    if (error instanceof ApiError || error instanceof CommandError) return fail(error.message)
    throw error
  }
}

async function withSite(environment: Environment, log: Logger, work: (storage: Storage) => Promise<number>) {
  const storage = await openStorage({ ...environment, REDIS_URL: undefined }, log)
  try {
    const problem = describeSchemaProblem(await inspectSchema(storage.database.db))
    if (problem !== undefined) throw new CommandError(problem)
    return await work(storage)
  } finally {
    await storage.close()
  }
}

async function writeConfig(
  storage: Storage,
  { output }: ConfigOptions,
  passphrase: string | undefined,
): Promise<number> {
  const yaml = await exportConfig(configDeps(storage), passphrase)
  if (output === undefined) process.stdout.write(yaml)
  else await writeFile(output, yaml, { mode: 0o600 }).catch(throwFileError(output))
  return 0
}

interface Comparison {
  verb: string
  yaml: string
  passphrase: string | undefined
}

async function diffOrApply(
  storage: Storage,
  options: ConfigOptions,
  { verb, yaml, passphrase }: Comparison,
): Promise<number> {
  const deps = configDeps(storage)
  const file = { yaml, passphrase, variable: readVariable, prune: options.prune ?? false }
  const plan = await planConfig(deps, file)
  console.log(describePlan(plan))
  if (!hasChanges(plan)) return 0
  if (verb === 'diff') return EXIT_CHANGES
  if (!options.yes) {
    if (!process.stdin.isTTY)
      return fail('Nothing was changed: confirmation needs a terminal. Add --yes to apply without it.')
    if (!(await confirm())) return fail('Nothing was changed.')
  }
  await applyConfig(deps, { id: null }, { ...file, expectVersion: plan.version })
  console.log('Applied. Running processes reload within two seconds.')
  return 0
}

/** Other processes get a change notification from the database. This process has no snapshot to update. */
function configDeps({ database: { db }, vault }: Storage) {
  return { db, vault, now: () => new Date(), catchUp: async () => {} }
}

function hasChanges({ items }: api.ConfigPlan): boolean {
  return items.some(({ action }) => action !== 'unchanged')
}

async function confirm(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question('Apply these changes? [y/N] ')).trim())
  } finally {
    terminal.close()
  }
}

async function readYaml(file: string): Promise<string> {
  return file === '-' ? text(process.stdin) : readFile(file, 'utf8').catch(throwFileError(file))
}

/** Without the line break that editors add at the end of a file. */
async function readPassphrase(environment: Environment, options: ConfigOptions): Promise<string | undefined> {
  const file = options['passphrase-file']
  if (file === undefined) return environment.TIDEGATE_CONFIG_PASSPHRASE
  return (await readFile(file, 'utf8').catch(throwFileError(file))).replace(/\r?\n$/, '')
}

function requirePassphrase(passphrase: string | undefined): void {
  if (passphrase === undefined) {
    throw new CommandError('Exported secrets are encrypted: give --passphrase-file or set TIDEGATE_CONFIG_PASSPHRASE.')
  }
  const least = api.SHORTEST_PASSPHRASE
  if (passphrase.length < least) throw new CommandError(`The passphrase must have at least ${least} characters.`)
}

function fail(message: string): number {
  console.error(message)
  return 1
}

const SIGNS = { create: '+', update: '~', delete: '-', unchanged: ' ' } as const
const MAX_VALUE_LENGTH = 160

/** Describes a plan for the terminal: each changed field, then the totals. */
export function describePlan({ items }: api.ConfigPlan): string {
  const changed = items.filter(({ action }) => action !== 'unchanged')
  const count = (action: api.ConfigItem['action']) => items.filter((item) => item.action === action).length
  const sums = `${count('create')} to create, ${count('update')} to change, ${count('delete')} to remove, ${count('unchanged')} unchanged.`
  return [...changed.flatMap(describeItem), ...(changed.length > 0 ? [''] : []), sums].join('\n')
}

function describeItem({ kind, name, action, changes }: api.ConfigItem): string[] {
  return [
    `${SIGNS[action]} ${kind} ${name === '' ? '' : formatValue(name)}`.trimEnd(),
    ...changes.map((change) => `    ${describeChange(change)}`),
  ]
}

function describeChange({ field, before, after, secret }: api.ConfigChange): string {
  const label = field === '' ? '' : `${field}: `
  if (secret) return `${label}(secret) changes`
  if (before === null) return `${label}${formatValue(after)}`
  return `${label}${formatValue(before)} → ${after === null ? '(removed)' : formatValue(after)}`
}

/** A value on one line, shortened to `MAX_VALUE_LENGTH`. */
function formatValue(value: string | null): string {
  const line = JSON.stringify(value ?? '')
    .slice(1, -1)
    .replaceAll('\\"', '"')
  if (line === '') return '(empty)'
  return line.length > MAX_VALUE_LENGTH ? `${line.slice(0, MAX_VALUE_LENGTH)}… (${line.length} characters)` : line
}
