import { describe, expect, it } from 'vitest'
import { ANTHROPIC_FEATURES } from '../../test/request-features/anthropic.ts'
import { GEMINI_FEATURES, INTERACTIONS_FEATURES } from '../../test/request-features/google.ts'
import { CHAT_FEATURES, RESPONSES_FEATURES } from '../../test/request-features/openai.ts'
import { ASKS, ASKS_G, ASKS_I, type FeatureRow, type Letter, REJECTED } from '../../test/request-features/row.ts'
import { DIALECTS } from '../registry.ts'
import { type DialectId, findDropped } from './index.ts'

const IDS = {
  C: 'openai-chat',
  R: 'openai-responses',
  A: 'anthropic-messages',
  G: 'gemini-generate',
  I: 'gemini-interactions',
} as const satisfies Record<Letter, DialectId>
const LETTERS = Object.keys(IDS) as Letter[]

const BASES: Record<Letter, object> = {
  C: { model: 'm', messages: [ASKS] },
  R: { model: 'm', input: [ASKS] },
  A: { model: 'm', max_tokens: 900, messages: [ASKS] },
  G: { contents: [ASKS_G] },
  I: { model: 'm', input: [ASKS_I] },
}
const FEATURES: Record<Letter, readonly FeatureRow[]> = {
  C: CHAT_FEATURES,
  R: RESPONSES_FEATURES,
  A: ANTHROPIC_FEATURES,
  G: GEMINI_FEATURES,
  I: INTERACTIONS_FEATURES,
}

/** The body for the provider and the names of what it does not have. */
function convert(client: Letter, provider: Letter, fields: object) {
  const dialect = DIALECTS[IDS[client]]
  const head = dialect.readRequest(JSON.stringify({ ...BASES[client], ...fields }), { model: 'm' })
  const canonical = dialect.decodeRequest(head)
  const takesCacheBreakpoints = provider !== 'G' && provider !== 'I'
  const dropped: string[] = []
  const options = { dropped, cacheBreakpoints: takesCacheBreakpoints }
  const body = DIALECTS[IDS[provider]].encodeRequest(canonical, options)
  const protocols = { client: IDS[client], provider: IDS[provider], takesCacheBreakpoints }
  return { body: JSON.stringify(body), dropped: [...dropped, ...findDropped(canonical, protocols)] }
}

const PAIRS = LETTERS.flatMap((client) =>
  LETTERS.filter((provider) => provider !== client).map((provider) => ({
    client,
    provider,
    from: IDS[client],
    to: IDS[provider],
  })),
)

describe.each(PAIRS)('a request of $from at a provider of $to', ({ client, provider }) => {
  it('loses nothing if it is plain', () => {
    expect(convert(client, provider, {}).dropped).toEqual([])
  })

  it.each(FEATURES[client])('carries, lists or rejects $feature', ({ fields, at }) => {
    const expected = at[provider]

    if (expected === REJECTED) {
      expect(() => convert(client, provider, fields())).toThrow(expect.objectContaining({ code: 'cannot_express' }))
      return
    }
    const { body, dropped } = convert(client, provider, fields())
    if (typeof expected === 'string') {
      expect(dropped).toContain(expected)
      return
    }
    expect(body).toMatch(expected!)
    expect(dropped).toEqual([])
  })
})
