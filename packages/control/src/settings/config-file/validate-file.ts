import {
  defaultOptionText,
  optionDefinition,
  parseOption,
  type OptionKey,
  type LocalizedText,
  type Settings,
} from '@tidegate/contract'
import { checkName } from '../../channels/check-fields.ts'
import { checkVirtualModels } from '../../models/virtual-models.ts'
import { NEEDS, optionFromFile } from './field-values.ts'
import type { Problems } from './problems.ts'
import { MAPPING_KEY, type ConfigFile, type FileValue, type FileChannel, type FileOption } from './read-file.ts'
import { CHANNEL_KEYS_CONTEXT, optionContext, type SecretReader } from './secrets.ts'

export interface DesiredOption {
  readonly key: OptionKey
  readonly line: number
  readonly value: Settings[OptionKey]
}

export interface DesiredChannel extends FileChannel {
  readonly status: 'enabled' | 'disabled' | undefined
  /** One key per line, or a JSON document; undefined to keep the keys. */
  readonly keys: { readonly text: string; readonly line: number } | undefined
}

/** A file with valid values; not yet compared with the site. */
export interface DesiredConfig {
  readonly options: readonly DesiredOption[]
  readonly channels: readonly DesiredChannel[] | undefined
}

/** Validates all values and opens secrets. */
export async function validateFile(
  file: ConfigFile,
  secrets: SecretReader,
  problems: Problems,
): Promise<DesiredConfig> {
  const options: DesiredOption[] = []
  for (const input of file.options) options.push(...(await validateOption(input, secrets, problems)))
  options.push(...validateModels(file.models, problems))
  const channels: DesiredChannel[] = []
  for (const input of file.channels ?? []) channels.push(await validateChannel(input, secrets, problems))
  rejectDuplicates(channels, problems)
  return { options, channels: file.channels && channels }
}

async function validateOption(input: FileOption, secrets: SecretReader, problems: Problems): Promise<DesiredOption[]> {
  const { key, line, value } = input
  const place = `options.${key}`
  const { kind, secret } = optionDefinition(key)
  const read = value === null ? { text: defaultOptionText(key) } : optionFromFile(kind, value)
  if ('problem' in read) {
    problems.add(line, place, read.problem)
    return []
  }
  const text = secret ? await secrets.read(read.text, { context: optionContext(key), line, place }) : read.text
  if (text === undefined) return []
  const parsed = problems.catch(line, place, () => ({ value: parseOption(key, text) }))
  return parsed ? [{ key, line, value: parsed.value }] : []
}

/** Individually to report every error, then together: a target must not be virtual. */
function validateModels(models: ReadonlyMap<string, FileValue> | undefined, problems: Problems): DesiredOption[] {
  if (models === undefined) return []
  const line = [...models.values()][0]?.line ?? 1
  const isFine = [...models].map(([name, { line: at, value }]) =>
    problems.catch(at, `models.${name}`, () => checkVirtualModels({ mapping: { [name]: value } })),
  )
  if (isFine.includes(undefined)) return []
  const mapping = Object.fromEntries([...models].map(([name, { value }]) => [name, value]))
  const whole = problems.catch(line, 'models', () => checkVirtualModels({ mapping }))
  return whole ? [{ key: MAPPING_KEY, line, value: whole }] : []
}

async function validateChannel(input: FileChannel, secrets: SecretReader, problems: Problems): Promise<DesiredChannel> {
  const { name, line, fields } = input
  const place = `channels.${name}`
  problems.catch(line, place, () => checkName(name))
  const status = fields.get('status')
  if (status && !isStatus(status.value)) problems.add(status.line, `${place}.status`, NEEDS_STATUS)
  const keys = fields.get('keys')
  const text = keys && (await readKeyLines(keys, `${place}.keys`, secrets, problems))
  return {
    ...input,
    status: isStatus(status?.value) ? status.value : undefined,
    keys: keys && text !== undefined ? { text, line: keys.line } : undefined,
  }
}

async function readKeyLines(
  { value, line }: FileValue,
  place: string,
  secrets: SecretReader,
  problems: Problems,
): Promise<string | undefined> {
  const lines: unknown[] = Array.isArray(value) ? value : [value]
  if (lines.length === 0 || !lines.every((key) => typeof key === 'string')) {
    problems.add(line, place, lines.length === 0 ? NEEDS_KEYS : NEEDS.text)
    return undefined
  }
  const read = []
  for (const key of lines) read.push(await secrets.read(key, { context: CHANNEL_KEYS_CONTEXT, line, place }))
  if (read.includes(undefined)) return undefined
  const text = read.join('\n').trim()
  if (text === '') problems.add(line, place, NEEDS_KEYS)
  return text === '' ? undefined : text
}

function rejectDuplicates(channels: readonly FileChannel[], problems: Problems): void {
  const seen = new Set<string>()
  for (const { name, line } of channels) {
    if (seen.has(name)) problems.add(line, `channels.${name}`, DUPLICATE_NAME)
    seen.add(name)
  }
}

function isStatus(value: unknown): value is 'enabled' | 'disabled' {
  return value === 'enabled' || value === 'disabled'
}

const NEEDS_STATUS: LocalizedText = { zh: '应为 enabled 或 disabled', en: 'this must be enabled or disabled' }
const NEEDS_KEYS: LocalizedText = { zh: '至少需要一个密钥', en: 'this needs at least one key' }
const DUPLICATE_NAME: LocalizedText = { zh: '文件里有两个同名的渠道', en: 'two channels in the file have this name' }
