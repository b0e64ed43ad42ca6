import { readSettings } from '@tidegate/contract'
import { computeReceipt, priceOf } from '@tidegate/pricing'
import { describe, expect, it } from 'vitest'
import { SessionUsage } from './session-usage.ts'

const settings = readSettings(new Map())
const AT = new Date('2026-11-16T12:00:00Z')
const billOf = (model: string, usage: SessionUsage) =>
  computeReceipt(
    priceOf(settings, { modelName: model, upstreamName: model, group: 'default', acceptUnset: false }),
    usage.whole,
    AT,
  )

const DONE = {
  type: 'response.done',
  response: {
    usage: {
      input_tokens: 600,
      output_tokens: 400,
      input_token_details: {
        text_tokens: 100,
        audio_tokens: 500,
        cached_tokens: 490,
        cached_tokens_details: { text_tokens: 90, audio_tokens: 400 },
      },
      output_token_details: { text_tokens: 100, audio_tokens: 300 },
    },
  },
}

describe('a realtime session', () => {
  it('bills cached audio at the price of cached audio', () => {
    const used = new SessionUsage()
    used.readProvider(DONE)

    // 10 × 5 + 90 × 2.5 + 100 × 40 + 400 × 2.5 + 100 × 20 + 300 × 80 = 31,275 USD per million
    expect(billOf('gpt-4o-realtime-preview', used)).toMatchObject({ quota: 15_638, unpriced: [] })
  })

  it('bills the transcription of its input at the price of the transcription model', () => {
    const used = new SessionUsage()
    used.readProvider({
      type: 'session.updated',
      session: { audio: { input: { transcription: { model: 'whisper-1' } } } },
    })
    const output = { type: 'conversation.item.input_audio_transcription.completed' }

    expect(used.readProvider({ ...output, usage: { type: 'duration', seconds: 30 } })).toBe(true)
    used.readProvider({ ...output, usage: { type: 'duration', seconds: 60 } })
    used.readProvider(DONE)

    // 1.5 minutes at 0.006 USD beside the response
    expect(billOf('gpt-4o-realtime-preview', used).quota).toBe(15_638 + 4500)
  })

  it('counts the tokens of a transcription', () => {
    const used = new SessionUsage()
    used.readClient({ type: 'session.update', session: { input_audio_transcription: { model: 'gpt-4o-transcribe' } } })
    used.readProvider({
      type: 'conversation.item.input_audio_transcription.completed',
      usage: {
        type: 'tokens',
        input_tokens: 1000,
        output_tokens: 100,
        input_token_details: { text_tokens: 0, audio_tokens: 1000 },
      },
    })

    const { lines } = billOf('gpt-4o-realtime-preview', used)

    expect(lines.map(({ item, count }) => [item, count])).toEqual([
      ['output', 100],
      ['audioInput', 1000],
    ])
  })
})
