import { ApiError } from '@tidegate/contract'
import { NO_USAGE, priceByRatios } from '@tidegate/pricing'
import { describe, expect, it } from 'vitest'
import { aCaller } from '../../test/support/catalog.ts'
import type { RequestRecord } from '../admit/observe-request.ts'
import { settlementOf } from './settle-request.ts'

const price = priceByRatios(
  { priceName: 'm', group: 'default', groupRatio: 1, quotaPerUnit: 500_000 },
  {
    modelRatio: 1,
    cacheRatio: 1,
    cacheWriteRatio: 1,
    cacheWrite1hRatio: 1,
    audioRatio: 1,
    audioCompletionRatio: 1,
  },
)
const route = { price, group: 'default', model: 'provider-name', mapped: false, channel: { id: 3 } }

function detailsOf(changes: object, attempt: object = {}) {
  const served = {
    incoming: { startedAt: 1000, clientAddress: '203.0.113.9' },
    caller: aCaller(),
    group: 'default',
    request: { model: 'm', dialect: 'openai-chat' },
    attempt: { route, tried: [], firstContentAt: 1200, opening: { kind: 'whole' }, ...attempt },
    decision: { candidates: 1, passedOver: [], passedOverCount: 0 },
    timing: {},
    ...changes,
  } as unknown as RequestRecord
  return settlementOf({ now: () => 1500 }, served, { ...NO_USAGE, input: 1 }).log.details
}

const incoming = { startedAt: 1000, clientAddress: '' }

describe('the details of a log row', () => {
  it('are missing for most requests', () => {
    expect(detailsOf({})).toBeUndefined()
  })

  it.each([
    [{ kind: 'chat', protocol: 'openai-chat' }, undefined],
    [{ kind: 'chat', protocol: 'anthropic-messages' }, undefined],
    [{ kind: 'chat', protocol: 'openai-completions' }, 'text_completion'],
    [{ kind: 'chat', protocol: 'gemini-generate' }, 'generate_content'],
    [{ kind: 'operation', protocol: 'openai-chat', operation: 'embeddings' }, 'embeddings'],
    [{ kind: 'operation', protocol: 'openai-chat', operation: 'image-generation' }, 'image_generation'],
    [{ kind: 'realtime', protocol: 'openai-chat' }, 'realtime'],
    [{ kind: 'task', protocol: 'openai-chat', action: { kind: 'submit', task: 'music' } }, 'music_generation'],
  ])('name the kind of request for traces: %j', (endpoint, operation) => {
    expect(detailsOf({ incoming: { ...incoming, endpoint } })?.['operation']).toBe(operation)
  })

  it.each([
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true],
    ['00-00000000000000000000000000000000-b7ad6b7169203331-01', false],
    ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', false],
    ['not a trace', false],
  ])('have the span of the client if it is valid: %s', (traceparent, isValid) => {
    const details = detailsOf({ incoming: { ...incoming, request: { headers: { traceparent } } } })

    expect(details).toEqual(isValid ? { traceparent } : undefined)
  })

  it("mark Anthropic's protocol, whose rows read differently, and the requested effort", () => {
    const request = { model: 'm', dialect: 'anthropic-messages' }

    expect(detailsOf({ request }, { reasoningEffort: 'high' })).toEqual({ claude: true, reasoning_effort: 'high' })
  })

  it("name the provider's model only when it differs", () => {
    expect(detailsOf({}, { route: { ...route, mapped: true } })).toEqual({
      is_model_mapped: true,
      upstream_model_name: 'provider-name',
    })
  })

  it('show why a response ended early: revoked access rather than a closed connection', () => {
    const writer = { isClosed: true }
    const revokedBy = new ApiError('api_key_owner_disabled')

    expect(detailsOf({ incoming: { ...incoming, writer }, isInterrupted: true })).toEqual({
      client_disconnected: true,
      stream_interrupted: true,
    })
    expect(detailsOf({ incoming: { ...incoming, writer, revokedBy } })).toEqual({
      access_revoked: 'api_key_owner_disabled',
    })
  })

  it('have the output limit, removed and dropped options, and usage that is not billed', () => {
    const changes = {
      outputLimit: { tokens: 50, reason: 'balance' },
      implausible: { ...NO_USAGE, input: 7, output: 3 },
    }

    expect(detailsOf(changes, { stripped: ['service_tier'], dropped: ['seed'] })).toEqual({
      stripped: ['service_tier'],
      dropped: ['seed'],
      output_limit: 50,
      output_limit_reason: 'balance',
      implausible_tokens: 10,
    })
  })
})
