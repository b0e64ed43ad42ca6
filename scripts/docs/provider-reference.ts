import { api } from '@tidegate/contract'
import {
  CHANNEL_TYPES,
  providerOf,
  PROVIDER_FACTS,
  type KeyLocation,
  type OperationId,
  type Provider,
} from '@tidegate/providers'
import { code, table } from './table.ts'

/** Operations of providers, in the order of the columns. */
const COLUMNS: readonly [title: string, operations: readonly OperationId[]][] = [
  ['Embeddings', ['embeddings']],
  ['Rerank', ['rerank']],
  ['Images', ['image-generation']],
  ['Image edits', ['image-edit', 'image-variation']],
  ['Speech', ['speech']],
  ['Listening', ['transcription', 'translation']],
  ['Moderation', ['moderations']],
  ['Realtime', ['realtime']],
]

/** A provider and its channel types. */
interface ProviderRow {
  readonly provider: Provider
  readonly types: readonly number[]
  readonly names: readonly string[]
}

/** Every channel type with its provider, its operations, and what is missing. */
export function providerReference(): string {
  const providers = providersOf(api.CHANNEL_TYPE_LIST.filter(({ type, legacy }) => legacy || CHANNEL_TYPES.has(type)))
  return [
    '# Vendors',
    '',
    'Made from the records and facts in `packages/providers/src` by `npm run docs:write`. A type that is of the past is kept',
    'for channels that have it and not offered for new ones. Calls a vendor does not have are refused before anything is',
    'reserved. `packages/gateway/test/conformance` holds every line of this page against a fake of the vendor that answers in',
    'its documented words: a vendor without a row there, an ability that is not shown and a lack that is none fail the suite.',
    '',
    '## What vendors do',
    '',
    table(
      ['Type', 'Vendor', 'Conversations in', ...COLUMNS.map(([title]) => title), 'Orders', 'Model list', 'Balance'],
      providers.map(abilitiesOf),
    ),
    '',
    '## Where keys go',
    '',
    'To this place and to no other, in every call. A channel’s own address replaces the one named here.',
    '',
    table(['Vendor', 'Record', 'Address', 'Key'], providers.map(keyPlacesOf)),
    '',
    '## What vendors lack',
    '',
    'Beside drawings, which are ordered from types 2 and 5 only, and music, which is ordered from type 36 only.',
    '',
    table(['Vendor', 'Lacks'], providers.map(lacksOf)),
    '',
    ...unserved(),
  ].join('\n')
}

function providersOf(types: typeof api.CHANNEL_TYPE_LIST): ProviderRow[] {
  const providers = new Map<Provider, { types: number[]; names: string[] }>()
  for (const { type, name, legacy } of types) {
    const provider = providerOf(type)
    const vendor = providers.get(provider) ?? { types: [], names: [] }
    vendor.types.push(type)
    vendor.names.push(legacy ? `${name} (of the past)` : name)
    providers.set(provider, vendor)
  }
  return [...providers].map(([provider, vendor]) => ({ provider, ...vendor }))
}

function abilitiesOf({ provider, types, names }: ProviderRow): string[] {
  const { chatApis = [], operations = {}, tasks = {}, modelList, balance } = provider
  return [
    types.join(', '),
    names.join(', '),
    chatApis.map(({ dialect, encode }) => (encode ? 'its own words' : code(dialect))).join(', '),
    ...COLUMNS.map(([, expected]) => mark(expected.some((id) => operations[id]))),
    Object.keys(tasks).join(', '),
    mark(modelList !== undefined),
    mark(balance !== undefined),
  ]
}

function keyPlacesOf({ provider: { id, baseUrl, sign }, names }: ProviderRow): string[] {
  const elsewhere = sign ? 'by region' : 'the channel’s'
  return [names.join(', '), code(id), code(baseUrl) || elsewhere, keyPlace(PROVIDER_FACTS[id]?.key)]
}

function keyPlace(place: KeyLocation | undefined): string {
  if (!place) return ''
  return place.as === 'header' ? code(`${place.name}: ${place.prefix ?? ''}…`) : place.description
}

/** Reasons in order, each with everything it applies to. */
function lacksOf({ provider: { id }, names }: ProviderRow): string[] {
  const byReason = new Map<string, string[]>()
  for (const [ability, reason] of Object.entries(PROVIDER_FACTS[id]?.lacks ?? {})) {
    if (ability === 'drawing' || ability === 'music') continue
    byReason.set(reason, [...(byReason.get(reason) ?? []), ability])
  }
  const lacks = [...byReason].map(([reason, abilities]) => `${abilities.join(', ')}: ${reason}`)
  return [names.join(', '), lacks.join('. ') || 'nothing']
}

function unserved(): string[] {
  const missing = api.CHANNEL_TYPE_LIST.filter(({ type, legacy }) => !legacy && !CHANNEL_TYPES.has(type))
  if (missing.length === 0) return []
  return [
    '## Not served yet',
    '',
    table(
      ['Type', 'Vendor'],
      missing.map(({ type, name }) => [String(type), name]),
    ),
    '',
  ]
}

const mark = (has: boolean) => (has ? 'yes' : '')
