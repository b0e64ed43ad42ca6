import { api, readSettings } from '@tidegate/contract'
import {
  CHANNEL_TYPES,
  providerOf,
  PROVIDER_FACTS,
  type Capability,
  type OperationId,
  type Provider,
} from '@tidegate/providers'
import { describe, expect, it } from 'vitest'
import { CASES } from './case.ts'
import { OPERATION_EXAMPLES } from './operations.ts'
import type { ProviderRow } from './row.ts'
import { ROWS } from './rows.ts'

const OPERATIONS: readonly OperationId[] = [...(Object.keys(OPERATION_EXAMPLES) as OperationId[]), 'realtime']
const SETTINGS = readSettings(new Map())
const TASKS = ['drawing', 'music', 'video'] as const

/** The abilities of a provider, by its definition and by its row. Both must agree. */
const ABILITIES: Readonly<
  Record<Capability, { has(provider: Provider, row: ProviderRow): boolean; shown(row: ProviderRow): boolean }>
> = {
  chats: { has: ({ chatApis = [] }) => chatApis.length > 0, shown: ({ chats }) => chats.length > 0 },
  streams: {
    has: ({ chatApis = [] }) => chatApis.some(({ streams }) => streams !== false),
    shown: ({ chats }) => chats.some(({ neverStreams }) => !neverStreams),
  },
  // Usage is not part of a definition: the row states it, and the suite checks the bill.
  counts: { has: (_, { chats }) => chats[0]?.counts.whole === true, shown: () => true },
  'streamed counts': { has: (_, { chats }) => chats[0]?.counts.stream === true, shown: () => true },
  ...(Object.fromEntries(
    OPERATIONS.map((id) => [
      id,
      {
        has: ({ operations }: Provider) => operations?.[id] !== undefined,
        shown: (row: ProviderRow) => !!row.operations[id],
      },
    ]),
  ) as Record<OperationId, { has(provider: Provider): boolean; shown(row: ProviderRow): boolean }>),
  ...(Object.fromEntries(
    TASKS.map((id) => [
      id,
      { has: ({ tasks }: Provider) => tasks?.[id] !== undefined, shown: (row: ProviderRow) => !!row.tasks?.[id] },
    ]),
  ) as Record<(typeof TASKS)[number], { has(provider: Provider): boolean; shown(row: ProviderRow): boolean }>),
  'model list': { has: ({ modelList }) => modelList !== undefined, shown: ({ modelList }) => modelList !== undefined },
  balance: { has: ({ balance }) => balance !== undefined, shown: ({ balance }) => balance !== undefined },
}

/** Types without a definition, for existing channels. */
const LEGACY = api.CHANNEL_TYPE_LIST.filter(({ legacy }) => legacy).map(({ type }) => type)

describe('the suite', () => {
  it('has a row for every channel type with a provider, and for no other', () => {
    const expected = [...new Set([...CHANNEL_TYPES.keys(), ...LEGACY])]
    const rows = ROWS.flatMap(({ types }) => types)

    expect(rows.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b))
  })

  it('lists the missing abilities of every provider, and of no other', () => {
    const ids = new Set(CASES.map(({ type }) => providerOf(type).id))

    expect(Object.keys(PROVIDER_FACTS).toSorted()).toEqual([...ids].toSorted())
  })

  it('covers every operation', () => {
    const offered = new Set([...CHANNEL_TYPES.values()].flatMap(({ operations = {} }) => Object.keys(operations)))

    expect([...offered].filter((id) => !(id in ABILITIES))).toEqual([])
  })
})

describe.each(CASES)('$name', ({ type, row }) => {
  const provider = providerOf(type)
  const lacks = PROVIDER_FACTS[provider.id]?.lacks ?? {}
  const abilities = Object.entries(ABILITIES) as [Capability, (typeof ABILITIES)[Capability]][]

  it('has exactly the abilities that its row shows', () => {
    const has = abilities.filter(([, { has }]) => has(provider, row)).map(([ability]) => ability)
    const shown = abilities.filter(([, ability]) => ability.has(provider, row) && ability.shown(row))

    expect(shown.map(([ability]) => ability)).toEqual(has)
    expect(Object.keys(row.operations).toSorted()).toEqual(Object.keys(provider.operations ?? {}).toSorted())
    expect(row.chats.map(({ dialect }) => dialect)).toEqual((provider.chatApis ?? []).map(({ dialect }) => dialect))
  })

  it('lacks exactly what is documented, each with a reason', () => {
    const missing = abilities.filter(([, { has }]) => !has(provider, row)).map(([ability]) => ability)

    expect(Object.keys(lacks).toSorted()).toEqual(missing.toSorted())
    expect(Object.values(lacks).filter((reason) => reason.length < 10)).toEqual([])
  })
})

/** Providers with a default base URL. */
const AT_HOME = CASES.filter(({ type }) => providerOf(type).baseUrl !== '')

describe.each(AT_HOME)('the default base URL of $name', ({ type, row }) => {
  it('matches the contract, and is used unless a channel has its own', () => {
    const { baseUrl, chatApis = [], operations = {} } = providerOf(type)
    const named = api.channelTypeOf(type)?.baseUrl.replace(/^ws/, 'http')
    const [endpoint] = [...chatApis, ...Object.values(operations)]
    const { other } = row
    const target = { baseUrl: '', key: row.key(''), model: row.chats[0]?.model ?? 'm', other }

    expect(named || baseUrl).toBe(baseUrl)
    expect(endpoint?.url(target, { stream: false, settings: SETTINGS }).startsWith(baseUrl)).toBe(true)
  })
})
