import { api } from '@tidegate/contract'
import type { ChannelTarget, Product } from '../products/product.ts'
import type { Report } from '../report.ts'
import { count, MAX_INTEGER, readObject, splitList, text, unixTime } from '../sources/cells.ts'
import type { Row, Source } from '../sources/source.ts'
import type { ImportChannel } from './import-data.ts'
import { readHeaderOverride, readJsonField, readChannelKeys, type ChannelNote } from './channel-fields.ts'

const { enabled, disabled, autoDisabled } = api.CHANNEL_STATUS

export async function readChannels(source: Source, product: Product, report: Report): Promise<ImportChannel[]> {
  const channels: ImportChannel[] = []
  for await (const row of source.rows('channels')) {
    report.counts.channels.found += 1
    const channel = readChannel(row, product, report)
    if (channel) channels.push(channel)
  }
  return channels
}

function readChannel(row: Row, product: Product, report: Report): ImportChannel | undefined {
  const name = text(row, 'name').trim() || `channel ${text(row, 'id')}`
  const note: ChannelNote = (outcome, reason) =>
    report.note('channels', outcome, reason, `${name} (${text(row, 'id')})`)
  const target = product.channelTypes.get(count(row, 'type'))
  const models = splitList(text(row, 'models'))
  if (!target) return note('left', unknownType(product, count(row, 'type')))
  if (models.length === 0) return note('left', 'serves no model')

  const { type } = target
  const { keys, statuses } = target.disabledReason === undefined ? readChannelKeys(row, type, note) : NO_KEYS
  if (target.disabledReason !== undefined) note('changed', target.disabledReason)
  const setting = readObject(text(row, 'setting'))
  const { system_prompt: prompt, ...switches } = setting ?? {}
  if (!setting) note('changed', 'setting is not a JSON object: left blank')
  for (const [column, what] of Object.entries(UNSUPPORTED_COLUMNS)) {
    if (!isBlankJson(text(row, column))) note('changed', `${what} are not supported`)
  }
  return {
    sourceId: text(row, 'id'),
    keys,
    keyStatuses: statuses,
    columns: {
      type,
      name,
      status: keys.length === 0 ? disabled : readStatus(count(row, 'status')),
      base_url: target.disabledReason === undefined ? readBaseUrl(row, target, note) : '',
      models: models.join(','),
      group: splitList(text(row, 'group')).join(',') || 'default',
      model_mapping: readJsonField(row, 'model_mapping', note),
      status_code_mapping: readJsonField(row, 'status_code_mapping', note),
      setting: Object.keys(switches).length === 0 ? '' : JSON.stringify(switches),
      param_override: readJsonField(row, 'param_override', note),
      header_override: readHeaderOverride(row, note),
      priority: count(row, 'priority'),
      weight: Math.min(Math.max(count(row, 'weight'), 0), MAX_WEIGHT),
      auto_ban: row.auto_ban === undefined || row.auto_ban === null || count(row, 'auto_ban') !== 0,
      test_model: text(row, 'test_model').trim(),
      tag: text(row, 'tag').trim().replaceAll(',', ' ').slice(0, MAX_TAG_LENGTH),
      model_prefix: text(row, 'model_prefix').trim(),
      system_prompt: text(row, 'system_prompt') || (typeof prompt === 'string' ? prompt : ''),
      openai_organization: (text(row, 'openai_organization') || text(row, 'open_ai_organization')).trim(),
      other: readOther(row, type),
      used_quota: Math.max(0, count(row, 'used_quota')),
      created_at: unixTime(row, 'created_time') ?? undefined,
      tested_at: unixTime(row, 'test_time'),
      response_time_ms: Math.min(Math.max(0, count(row, 'response_time')), MAX_INTEGER),
    },
  }
}

const UNSUPPORTED_COLUMNS = { settings: 'further settings' }
const NO_KEYS = { keys: [], statuses: new Map<number, number>() }
const MAX_WEIGHT = 1_000_000_000
const MAX_TAG_LENGTH = 64

function unknownType({ name, otherTypes }: Product, type: number): string {
  const known = otherTypes[type]
  return known ? `${known} is not supported` : `type ${type} of ${name} is not known`
}

function readStatus(status: number): number {
  return status === enabled || status === autoDisabled ? status : disabled
}

/** OpenAI-compatible channels of one-api have `/v1` in their address; here it is added to every address. */
function readBaseUrl(row: Row, { type, baseUrl = '' }: ChannelTarget, note: ChannelNote): string {
  const value = text(row, 'base_url').trim().replace(/\/+$/, '')
  const address = (value === '' ? baseUrl : value).replace(OPENAI_TYPES.has(type) ? /\/v1$/ : /$^/, '')
  const url = URL.parse(address)
  if (address !== '' && url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    note('changed', 'address is invalid: left blank')
    return ''
  }
  if (address === '' && api.channelTypeOf(type)?.baseUrlRequired) note('changed', 'has no address: set one')
  return address
}

const OPENAI_TYPES: ReadonlySet<number> = new Set([1])

/** The field `other`. Later versions of one-api store it in a JSON column under the name of its meaning. */
function readOther(row: Row, type: number): string {
  const meaning = api.channelTypeOf(type)?.other
  const value = text(row, 'other').trim()
  if (meaning === undefined || value !== '') return value
  const config = readObject(text(row, 'config')) ?? {}
  const found = CONFIG_NAMES[meaning].map((name) => config[name]).find((value) => typeof value === 'string' && value)
  return typeof found === 'string' ? found : (api.channelTypeOf(type)?.otherDefault ?? '')
}

const CONFIG_NAMES: Readonly<Record<api.OtherMeaning, readonly string[]>> = {
  api_version: ['api_version'],
  plugin: ['plugin'],
  spark_version: ['api_version'],
  library_id: ['library_id'],
  account_id: ['user_id'],
  region: ['region'],
}

function isBlankJson(written: string): boolean {
  const object = readObject(written)
  return object !== undefined && Object.keys(object).length === 0
}
