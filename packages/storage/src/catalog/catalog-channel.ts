import { api } from '@tidegate/contract'
import type { Selectable } from 'kysely'
import type { ChannelTable } from '../schema/index.ts'
import type { Vault } from '../secrets/vault.ts'

export interface CatalogChannel {
  readonly id: number
  readonly type: number
  readonly name: string
  readonly status: number
  /** Status 1, and at least one usable key. */
  readonly enabled: boolean
  /**
   * Keys in use. A channel without usable keys is disabled and lists all of its keys here, so that a test can re-enable
   * it.
   */
  readonly keys: readonly string[]
  /** Keys disabled by an administrator, or automatically after the provider rejected them. */
  readonly disabledKeys: readonly string[]
  readonly baseUrl: string
  readonly models: readonly string[]
  readonly groups: readonly string[]
  readonly modelMapping: ReadonlyMap<string, string>
  readonly statusCodeMapping: ReadonlyMap<number, number>
  readonly priority: number
  readonly weight: number
  readonly autoBan: boolean
  readonly testModel: string
  readonly tag: string
  readonly modelPrefix: string
  readonly setting: Readonly<Record<string, unknown>>
  readonly paramOverride: Readonly<Record<string, unknown>>
  readonly headerOverride: ReadonlyMap<string, string>
  readonly systemPrompt: string
  readonly maxInputTokens: number
  readonly openaiOrganization: string
  readonly other: string
  /** Fields that could not be parsed. They hold an empty value, and a request that needs one must fail. */
  readonly unreadable: readonly UnreadableField[]
}

export type UnreadableField =
  | 'keys'
  | 'modelMapping'
  | 'statusCodeMapping'
  | 'setting'
  | 'paramOverride'
  | 'headerOverride'

/** The columns that a catalog channel is built from. */
export const channelColumns = [
  'id',
  'type',
  'name',
  'status',
  'sealed_key',
  'base_url',
  'models',
  'group',
  'model_mapping',
  'status_code_mapping',
  'priority',
  'weight',
  'auto_ban',
  'test_model',
  'tag',
  'model_prefix',
  'setting',
  'param_override',
  'header_override',
  'system_prompt',
  'max_input_tokens',
  'openai_organization',
  'other',
] as const satisfies readonly (keyof ChannelTable)[]

export type CatalogChannelRow = Pick<Selectable<ChannelTable>, (typeof channelColumns)[number]>

/** The context that a channel's key is sealed with. */
export function channelKeyContext(id: number): string {
  return `channel:${id}`
}

/** Identifies a key without storing it. */
export function channelKeyHash(vault: Pick<Vault, 'keyedHash'>, key: string): string {
  return vault.keyedHash('channel-key', key)
}

/** `plainKey` is undefined when the sealed key could not be decrypted. */
export function catalogChannel(
  row: CatalogChannelRow,
  plainKey: string | undefined,
  isDisabled: (key: string) => boolean = () => false,
): CatalogChannel {
  const unreadable: UnreadableField[] = []
  const read = <Value>(field: UnreadableField, value: Value | undefined, empty: Value): Value => {
    if (value === undefined) unreadable.push(field)
    return value ?? empty
  }
  const all = read('keys', plainKey === undefined ? undefined : splitKeys(row.type, plainKey), [])
  const disabledKeys = all.filter(isDisabled)
  const usable = disabledKeys.length === 0 ? all : all.filter((key) => !disabledKeys.includes(key))
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    status: row.status,
    enabled: row.status === api.CHANNEL_STATUS.enabled && plainKey !== undefined && usable.length > 0,
    keys: usable.length > 0 ? usable : all,
    disabledKeys,
    baseUrl: row.base_url,
    models: readList(row.models),
    groups: readList(row.group),
    modelMapping: read('modelMapping', readNameMap(row.model_mapping), new Map<string, string>()),
    statusCodeMapping: read('statusCodeMapping', readStatusMap(row.status_code_mapping), new Map<number, number>()),
    priority: row.priority,
    weight: row.weight,
    autoBan: row.auto_ban,
    testModel: row.test_model,
    tag: row.tag,
    modelPrefix: row.model_prefix,
    setting: read('setting', readObject(row.setting), {}),
    paramOverride: read('paramOverride', readObject(row.param_override), {}),
    headerOverride: read('headerOverride', readNameMap(row.header_override), new Map<string, string>()),
    systemPrompt: row.system_prompt,
    maxInputTokens: row.max_input_tokens,
    openaiOrganization: row.openai_organization,
    other: row.other,
    unreadable,
  }
}

/** The type of channel whose key is one JSON document, which may contain commas. */
const DOCUMENT_KEY_TYPE = 41

export function splitKeys(type: number, text: string): string[] {
  const parts = type === DOCUMENT_KEY_TYPE ? [text] : text.split(/[\n,]/)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function readList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Parses a JSON object. Blank text is an empty object; invalid text is undefined, as in the readers below. */
function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export function readNameMap(text: string): Map<string, string> | undefined {
  return readMap(
    text,
    (name) => name,
    (value) => (typeof value === 'string' ? value : undefined),
  )
}

/** Maps status codes to status codes. Each may be a number or a string of digits. */
function readStatusMap(text: string): Map<number, number> | undefined {
  return readMap(text, readStatus, readStatus)
}

function readMap<Key, Value>(
  text: string,
  readKey: (key: string) => Key | undefined,
  readValue: (value: unknown) => Value | undefined,
): Map<Key, Value> | undefined {
  const object = readObject(text)
  if (!object) return undefined
  const map = new Map<Key, Value>()
  for (const [from, to] of Object.entries(object)) {
    const key = readKey(from)
    const value = readValue(to)
    if (key === undefined || value === undefined) return undefined
    map.set(key, value)
  }
  return map
}

function readStatus(value: unknown): number | undefined {
  const status = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : NaN
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined
}
