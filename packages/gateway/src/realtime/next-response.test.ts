import { NO_USAGE } from '@tidegate/pricing'
import { describe, expect, it } from 'vitest'
import { NextResponse } from './next-response.ts'

const PCM = 48_000
const LISTED = 'gpt-realtime'
const item = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})
/** A second is 28 tokens. */
const audio = (seconds: number) => ({
  type: 'input_audio_buffer.append',
  audio: Buffer.alloc(PCM * seconds).toString('base64'),
})
const update = (session: object) => ({ type: 'session.update', session })
const sessionUpdated = (session: object) => ({ type: 'session.updated', session })
const responseCreated = (id: string) => ({ type: 'response.created', response: { id } })

function setUp(model = LISTED) {
  const next = new NextResponse(model)
  const fromClient = (...events: object[]) => events.forEach((event) => next.readClient(event as never, PCM))
  const fromProvider = (...events: object[]) => events.forEach((event) => next.readProvider(event as never))
  return { next, fromClient, fromProvider }
}

describe('the most that a response can use', () => {
  it('is everything that was sent and produced, within the context window', () => {
    const { next, fromClient, fromProvider } = setUp()
    fromClient(item('word '.repeat(4000)))
    const before = next.maxUsage(100).input
    expect(before).toBeGreaterThan(4000)

    fromProvider(responseCreated('a'))
    next.endResponse('a', { ...NO_USAGE, input: 3, output: 50, audioOutput: 70 })
    expect(next.maxUsage(100)).toMatchObject({ input: before + 50, audioInput: 70, audioOutput: 100 })

    fromClient(audio(3600))
    expect(next.maxUsage(100)).toMatchObject({ audioInput: 32_000, input: 0 })
  })

  it('has a bounded context for models that are not listed', () => {
    const { next, fromClient } = setUp('our-deployment')
    for (let count = 0; count < 20; count += 1) fromClient(audio(600))
    expect(next.maxUsage(1).audioInput).toBe(128_000)
    expect([next.isListed, next.maxOutput]).toEqual([false, 4096])
  })

  it('excludes audio that is cleared, and includes audio that is committed', () => {
    const { next, fromClient, fromProvider } = setUp()
    fromClient(audio(60))
    fromProvider({ type: 'input_audio_buffer.cleared' })
    expect(next.maxUsage(1).audioInput).toBe(0)
    fromClient(audio(60))
    fromProvider({ type: 'input_audio_buffer.committed' })
    expect([next.maxUsage(1).audioInput, next.mayRespondToSpeech]).toEqual([1667, false])
  })

  it('counts instructions and tools until the provider confirms others', () => {
    const { next, fromClient, fromProvider } = setUp()
    const instructions = 'word '.repeat(1000)
    fromProvider(sessionUpdated({ instructions }))
    const before = next.maxUsage(1).input
    fromClient(update({ voice: 'alloy' }))
    fromProvider(sessionUpdated({ instructions, voice: 'alloy' }))
    expect(next.maxUsage(1).input).toBe(before)
    fromClient(
      update({ tools: [{ type: 'function', parameters: { image_url: 'x'.repeat(4000), delta: 'y'.repeat(4000) } }] }),
    )
    expect(next.maxUsage(1).input).toBeGreaterThan(before + 1000)
  })

  it('is text when the session and the request are', () => {
    const { next, fromClient, fromProvider } = setUp()
    fromClient(update({ output_modalities: ['text'] }))
    expect(next.maxUsage(9)).toMatchObject({ audioOutput: 9 })
    fromProvider(sessionUpdated({ output_modalities: ['text'] }))
    expect(next.maxUsage(9)).toMatchObject({ output: 9, audioOutput: 0 })
    expect(next.maxUsage(9, { output_modalities: ['audio'] })).toMatchObject({ output: 0, audioOutput: 9 })
  })
})

describe('the output limit of a session', () => {
  it('falls when the provider confirms it, and rises at once', () => {
    const { next, fromClient, fromProvider } = setUp()
    fromClient(update({ max_output_tokens: 10.7 }))
    expect(next.outputLimit).toBe(4096)
    fromProvider(sessionUpdated({ max_output_tokens: 10 }))
    expect(next.outputLimit).toBe(10)
    fromClient(update({ max_output_tokens: 'inf' }))
    expect(next.outputLimit).toBe(4096)
  })

  it('does not follow an update that the provider rejects', () => {
    const { next, fromClient, fromProvider } = setUp()
    fromClient(update({ max_output_tokens: 1 }))
    fromProvider({ type: 'error', error: { event_id: null } })
    expect(next.outputLimit).toBe(4096)
  })
})

describe('responses that run', () => {
  it('are counted from the request to the end, each with its own limit', () => {
    const { next, fromProvider } = setUp()
    next.addPending({ type: 'response.create' }, 4096)
    next.addPending({ type: 'response.create' }, 300)
    expect(next.pending.map(({ audioOutput }) => audioOutput)).toEqual([4096, 300])
    fromProvider(responseCreated('a'), responseCreated('b'))
    next.endResponse('b', NO_USAGE)
    expect(next.pending.map(({ audioOutput }) => audioOutput)).toEqual([4096])
  })

  it('include responses to speech', () => {
    const { next, fromClient, fromProvider } = setUp()
    fromClient(audio(1))
    expect(next.mayRespondToSpeech).toBe(true)
    fromProvider({ type: 'input_audio_buffer.committed' }, responseCreated('a'))
    expect([next.isResponding, next.pending.length]).toEqual([true, 1])
  })

  it('do not include requests that the provider rejects', () => {
    const { next, fromProvider } = setUp()
    fromProvider(responseCreated('a'))
    for (let count = 0; count < 10; count += 1) {
      next.addPending({ type: 'response.create', event_id: `e${count}` }, 4096)
      fromProvider({
        type: 'error',
        error: { code: 'conversation_already_has_active_response', event_id: `e${count}` },
      })
    }
    expect(next.pending).toHaveLength(1)
  })

  it('are not expected from speech when turn detection is off', () => {
    const { next, fromClient, fromProvider } = setUp()
    fromProvider(sessionUpdated({ audio: { input: { turn_detection: null } } }))
    fromClient(audio(1))
    expect(next.mayRespondToSpeech).toBe(false)
  })
})
