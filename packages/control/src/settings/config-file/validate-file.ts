import {
  defaultOptionText,
  optionDefinition,
  parseOption,
  type OptionKey,
  type Phrase,
  type Settings,
} from '@tidegate/contract'
import { checkName } from '../../channels/check-fields.ts'
import { checkMapping } from '../../models/virtual-models.ts'
import { NEEDS, optionFromFile } from './field-values.ts'
import type { Problems } from './problems.ts'
import { MAPPING_KEY, type ConfigFile, type Given, type GivenChannel, type GivenOption } from './read-file.ts'
import { SEALED_KEYS, sealedOption, type SecretReader } from './secrets.ts'

export interface WantedOption {
  readonly key: OptionKey
  readonly line: number
  readonly value: Settings[OptionKey]
}

export interface WantedChannel extends GivenChannel {
  readonly status: 'enabled' | 'disabled' | undefined
  /** One to a line, or the document that is the key; undefined when the file leaves keys alone. */
  readonly keys: { readonly text: string; readonly line: number } | undefined
}

/** A file whose values are what its places ask for; whether they fit the site is judged against it. */
export interface WantedConfig {
  readonly options: readonly WantedOption[]
  readonly channels: readonly WantedChannel[] | undefined
}

/** Reads every value by the rules of its place, and opens what is sealed. */
export async function judgeFile(file: ConfigFile, secrets: SecretReader, problems: Problems): Promise<WantedConfig> {
  const options: WantedOption[] = []
  for (const given of file.options) options.push(...(await judgeOption(given, secrets, problems)))
  options.push(...judgeModels(file.models, problems))
  const channels: WantedChannel[] = []
  for (const given of file.channels ?? []) channels.push(await judgeChannel(given, secrets, problems))
  refuseTwins(channels, problems)
  return { options, channels: file.channels && channels }
}

async function judgeOption(given: GivenOption, secrets: SecretReader, problems: Problems): Promise<WantedOption[]> {
  const { key, line, value } = given
  const place = `options.${key}`
  const { kind, secret } = optionDefinition(key)
  const read = value === null ? { text: defaultOptionText(key) } : optionFromFile(kind, value)
  if ('problem' in read) {
    problems.add(line, place, read.problem)
    return []
  }
  const text = secret ? await secrets.read(read.text, { sealedFor: sealedOption(key), line, place }) : read.text
  if (text === undefined) return []
  const parsed = problems.catch(line, place, () => ({ value: parseOption(key, text) }))
  return parsed ? [{ key, line, value: parsed.value }] : []
}

/** One by one, so that every mistake is told; together at last, for a target must not be virtual itself. */
function judgeModels(models: ReadonlyMap<string, Given> | undefined, problems: Problems): WantedOption[] {
  if (models === undefined) return []
  const line = [...models.values()][0]?.line ?? 1
  const isFine = [...models].map(([name, { line: at, value }]) =>
    problems.catch(at, `models.${name}`, () => checkMapping({ mapping: { [name]: value } })),
  )
  if (isFine.includes(undefined)) return []
  const mapping = Object.fromEntries([...models].map(([name, { value }]) => [name, value]))
  const whole = problems.catch(line, 'models', () => checkMapping({ mapping }))
  return whole ? [{ key: MAPPING_KEY, line, value: whole }] : []
}

async function judgeChannel(given: GivenChannel, secrets: SecretReader, problems: Problems): Promise<WantedChannel> {
  const { name, line, fields } = given
  const place = `channels.${name}`
  problems.catch(line, place, () => checkName(name))
  const status = fields.get('status')
  if (status && !isStatus(status.value)) problems.add(status.line, `${place}.status`, NEEDS_STATUS)
  const keys = fields.get('keys')
  const text = keys && (await readKeyLines(keys, `${place}.keys`, secrets, problems))
  return {
    ...given,
    status: isStatus(status?.value) ? status.value : undefined,
    keys: keys && text !== undefined ? { text, line: keys.line } : undefined,
  }
}

async function readKeyLines(
  { value, line }: Given,
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
  for (const key of lines) read.push(await secrets.read(key, { sealedFor: SEALED_KEYS, line, place }))
  if (read.includes(undefined)) return undefined
  const text = read.join('\n').trim()
  if (text === '') problems.add(line, place, NEEDS_KEYS)
  return text === '' ? undefined : text
}

function refuseTwins(channels: readonly GivenChannel[], problems: Problems): void {
  const seen = new Set<string>()
  for (const { name, line } of channels) {
    if (seen.has(name)) problems.add(line, `channels.${name}`, TWICE)
    seen.add(name)
  }
}

function isStatus(value: unknown): value is 'enabled' | 'disabled' {
  return value === 'enabled' || value === 'disabled'
}

const NEEDS_STATUS: Phrase = { zh: '应为 enabled 或 disabled', en: 'this must be enabled or disabled' }
const NEEDS_KEYS: Phrase = { zh: '至少需要一个密钥', en: 'this needs at least one key' }
const TWICE: Phrase = { zh: '文件里有两个同名的渠道', en: 'two channels in the file have this name' }
