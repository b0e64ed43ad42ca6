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
  ['Transcription', ['transcription', 'translation']],
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
    '# Providers',
    '',
    'Channel types, with the features, base URL and key location of each provider. Existing channels can keep a legacy type, but new',
    'channels cannot use it. A request that a provider does not support is rejected before credit is reserved.',
    '',
    'Generated from `packages/providers/src` by `npm run docs:write`. The tests in `packages/gateway/test/conformance` check every',
    'row against a fake provider with the documented protocol.',
    '',
    '## Supported features',
    '',
    table(
      ['Type', 'Provider', 'Chat protocol', ...COLUMNS.map(([title]) => title), 'Tasks', 'Model list', 'Balance'],
      providers.map(abilitiesOf),
    ),
    '',
    '## Authentication',
    '',
    'Every request sends the channel key in this place only. The base URL of a channel replaces the default base URL.',
    '',
    table(['Provider', 'ID', 'Base URL', 'Key'], providers.map(keyPlacesOf)),
    '',
    '## Unsupported features',
    '',
    'Only types 2 and 5 support image tasks, and only type 36 supports music tasks; other rows do not repeat this.',
    '',
    table(['Provider', 'Not supported'], providers.map(lacksOf)),
    '',
    ...listUnserved(),
  ].join('\n')
}

function providersOf(types: typeof api.CHANNEL_TYPE_LIST): ProviderRow[] {
  const providers = new Map<Provider, { types: number[]; names: string[] }>()
  for (const { type, name, legacy } of types) {
    const provider = providerOf(type)
    const row = providers.get(provider) ?? { types: [], names: [] }
    row.types.push(type)
    row.names.push(legacy ? `${name} (legacy)` : name)
    providers.set(provider, row)
  }
  return [...providers].map(([provider, row]) => ({ provider, ...row }))
}

function abilitiesOf({ provider, types, names }: ProviderRow): string[] {
  const { chatApis = [], operations = {}, tasks = {}, modelList, balance } = provider
  return [
    types.join(', '),
    names.join(', '),
    chatApis.map(({ dialect, encode }) => (encode ? 'custom' : code(dialect))).join(', '),
    ...COLUMNS.map(([, expected]) => mark(expected.some((id) => operations[id]))),
    Object.keys(tasks).join(', '),
    mark(modelList !== undefined),
    mark(balance !== undefined),
  ]
}

function keyPlacesOf({ provider: { id, baseUrl, sign }, names }: ProviderRow): string[] {
  const elsewhere = sign ? 'by region' : 'set in the channel'
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
  return [names.join(', '), lacks.join('. ') || 'none']
}

function listUnserved(): string[] {
  const missing = api.CHANNEL_TYPE_LIST.filter(({ type, legacy }) => !legacy && !CHANNEL_TYPES.has(type))
  if (missing.length === 0) return []
  return [
    '## Not served yet',
    '',
    table(
      ['Type', 'Provider'],
      missing.map(({ type, name }) => [String(type), name]),
    ),
    '',
  ]
}

const mark = (has: boolean) => (has ? 'yes' : '')
