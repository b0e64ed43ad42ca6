import { GoogleGenAI, type Interactions } from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upstreamsOf } from './conversation.ts'
import { openInProcess } from './in-process.ts'
import { UPSTREAMS } from './upstreams/index.ts'
import type { Site } from './fake-providers.ts'

let site: Site
let sdk: GoogleGenAI
beforeAll(async () => {
  site = await openInProcess()
  sdk = new GoogleGenAI({ apiKey: site.key, httpOptions: { baseUrl: site.url } })
})
afterAll(() => site?.close())

const TOOLS = [
  {
    type: 'function' as const,
    name: 'tide',
    description: 'The tide at a port',
    parameters: { type: 'object', properties: { port: { type: 'string' } } },
  },
]
const NO_RETRIES = { maxRetries: 0 }

describe.each(upstreamsOf('gemini-interactions'))('stored interactions of the Google SDK with %s', (upstream) => {
  const { model } = UPSTREAMS[upstream]

  it.concurrent('continue ten turns with tools, and can be read and deleted', async () => {
    const marker = `interaction-${upstream}-end`
    const isOurs = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(marker)
    const scripts = Array.from({ length: 5 }, (_, turn) => [
      { toolCalls: [{ id: `call_${turn}`, name: 'tide', arguments: '{"port":"Kiel"}' }] },
      { text: 'The tide is high.' },
    ])
    site.providerOf(model).when(isOurs, ...scripts.flat())
    const shared = { model, system_instruction: marker, tools: TOOLS }

    let previous: string | undefined
    for (let turn = 0; turn < 5; turn += 1) {
      const asked = await sdk.interactions.create(
        { ...shared, input: 'How is the tide?', ...(previous && { previous_interaction_id: previous }) },
        NO_RETRIES,
      )
      expect(asked.status).toBe('requires_action')
      const call = asked.steps.find((step) => step.type === 'function_call')!
      expect(call).toMatchObject({ name: 'tide', arguments: { port: 'Kiel' } })
      const input = [{ type: 'function_result' as const, call_id: call.id, name: call.name, result: 'high' }]
      const events = await sdk.interactions.create(
        { ...shared, input, previous_interaction_id: asked.id, stream: true },
        NO_RETRIES,
      )
      const ended = await readStream(events)
      expect(ended).toMatchObject({ text: 'The tide is high.', status: 'completed' })
      previous = ended.id
    }

    const read = await sdk.interactions.get(previous!, { include_input: true }, NO_RETRIES)
    await sdk.interactions.delete(previous!, {}, NO_RETRIES)

    expect(read).toMatchObject({ id: previous, status: 'completed', output_text: 'The tide is high.' })
    expect(read.input).toMatchObject([{ type: 'function_result', result: 'high' }])
    expect(read.usage?.total_tokens).toBeGreaterThan(0)
    await expect(sdk.interactions.get(previous!, {}, NO_RETRIES)).rejects.toMatchObject({ status: 404 })
  })

  it.concurrent('run in the background', async () => {
    const marker = `background-${upstream}-end`
    const isOurs = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(marker)
    site.providerOf(model).when(isOurs, { text: 'The tide is high.' })

    const started = await sdk.interactions.create({ model, input: marker, background: true }, NO_RETRIES)
    const get = () => sdk.interactions.get(started.id, {}, NO_RETRIES)
    await expect.poll(async () => (await get()).status).toBe('completed')
    const cancelled = await sdk.interactions.cancel(started.id, {}, NO_RETRIES)

    expect(started.status).toBe('queued')
    expect(cancelled).toMatchObject({ status: 'completed', output_text: 'The tide is high.' })
  })

  it.concurrent('are resumed after the event that a client received last', async () => {
    const marker = `resumed-${upstream}-end`
    const isOurs = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(marker)
    site.providerOf(model).when(isOurs, { text: 'The tide is high.' })
    const request = { model, input: marker, background: true, stream: true } as const
    const first = await sdk.interactions.create(request, NO_RETRIES)
    const received: Interactions.InteractionSSEEvent[] = []
    for await (const event of first) {
      received.push(event)
      if (received.length === 2) break
    }
    const [created, last] = received
    const { id } = (created as Interactions.InteractionCreatedEvent).interaction

    const resumed = await sdk.interactions.get(id, { stream: true, last_event_id: last!.event_id }, NO_RETRIES)

    expect(await readStream(resumed)).toEqual({ text: 'The tide is high.', id, status: 'completed' })
  })
})

async function readStream(events: AsyncIterable<Interactions.InteractionSSEEvent>) {
  let text = ''
  let last: { id: string; status: string } | undefined
  for await (const event of events) {
    if (event.event_type === 'step.delta' && event.delta.type === 'text') text += event.delta.text
    if (event.event_type === 'interaction.completed') last = event.interaction
  }
  return { text, id: last?.id, status: last?.status }
}
