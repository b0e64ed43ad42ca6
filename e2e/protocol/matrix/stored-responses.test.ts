import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upstreamsOf } from './conversation.ts'
import { openInProcess } from './in-process.ts'
import { UPSTREAMS } from './upstreams/index.ts'
import type { Site } from './fake-providers.ts'

let site: Site
let sdk: OpenAI
beforeAll(async () => {
  site = await openInProcess()
  sdk = new OpenAI({ apiKey: site.key, baseURL: `${site.url}/v1`, maxRetries: 0 })
})
afterAll(() => site?.close())

const TOOLS = [
  {
    type: 'function' as const,
    name: 'tide',
    description: 'The tide at a port',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    strict: true,
  },
]

describe.each(upstreamsOf('openai-responses'))('stored responses of the OpenAI SDK with %s', (upstream) => {
  const { model } = UPSTREAMS[upstream]

  it.concurrent('continue ten turns with tools, and can be read and deleted', async () => {
    const marker = `stored-${upstream}-end`
    const isOurs = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(marker)
    const scripts = Array.from({ length: 5 }, (_, turn) => [
      { toolCalls: [{ id: `call_${turn}`, name: 'tide', arguments: '{}' }] },
      { text: 'The tide is high.' },
    ])
    site.providerOf(model).when(isOurs, ...scripts.flat())

    let previous: string | undefined
    for (let turn = 0; turn < 5; turn += 1) {
      const asked: OpenAI.Responses.Response = await sdk.responses.create({
        model,
        input: `How is the tide? ${marker}`,
        instructions: marker,
        tools: TOOLS,
        previous_response_id: previous,
      })
      const made = asked.output.find((item) => item.type === 'function_call')!
      const response: OpenAI.Responses.Response = await sdk.responses
        .stream({
          model,
          input: [{ type: 'function_call_output', call_id: made.call_id, output: 'high' }],
          instructions: marker,
          tools: TOOLS,
          previous_response_id: asked.id,
        })
        .finalResponse()
      expect(response.output_text).toBe('The tide is high.')
      previous = response.id
    }

    const read = await sdk.responses.retrieve(previous!)
    const input = await sdk.responses.inputItems.list(previous!)
    await sdk.responses.delete(previous!)

    expect(read).toMatchObject({ id: previous, status: 'completed', store: true, output_text: 'The tide is high.' })
    expect(input.data).toMatchObject([{ type: 'function_call_output', output: 'high' }])
    await expect(sdk.responses.retrieve(previous!)).rejects.toMatchObject({ status: 404 })
  })
  it.concurrent('continue conversations, and run in the background', async () => {
    const marker = `conversation-${upstream}-end`
    const isOurs = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(marker)
    site.providerOf(model).when(isOurs, { text: 'The tide is high.' })
    const items = [{ type: 'message' as const, role: 'user' as const, content: marker }]
    const { id } = await sdk.conversations.create({ items, metadata: { topic: 'tides' } })

    const started = await sdk.responses.create({ model, input: 'Speak.', conversation: id, background: true })
    await expect.poll(async () => (await sdk.responses.retrieve(started.id)).status).toBe('completed')
    const cancelled = await sdk.responses.cancel(started.id)
    const listed = await sdk.conversations.items.list(id, { order: 'asc' })
    const deleted = await sdk.conversations.delete(id)

    expect(started.status).toBe('queued')
    expect(cancelled).toMatchObject({ status: 'completed', background: true, conversation: { id } })
    expect(listed.data.map((item) => ('role' in item ? item.role : item.type))).toEqual(['user', 'user', 'assistant'])
    expect(deleted).toEqual({ id, object: 'conversation.deleted', deleted: true })
  })
  it.concurrent('stream in the background, and are resumed', async () => {
    const marker = `background-stream-${upstream}-end`
    const isOurs = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(marker)
    site.providerOf(model).when(isOurs, { text: 'The tide is high.' })

    const begun = await sdk.responses.create({ model, input: marker, background: true, stream: true })
    let id = ''
    for await (const event of begun) {
      if (event.type !== 'response.queued') continue
      id = event.response.id
      break // leaves
    }
    const resumed = await sdk.responses.retrieve(id, { stream: true, starting_after: 1 })
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of resumed) events.push(event)

    expect(events[0]).toMatchObject({ type: 'response.in_progress', sequence_number: 2 })
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { id, status: 'completed' } })
    expect((await sdk.responses.retrieve(id)).output_text).toBe('The tide is high.')
  })
  it.concurrent('compact a conversation, and go on from it', async () => {
    const marker = `compaction-${upstream}-end`
    const isOurs = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(marker)
    site.providerOf(model).when(isOurs, { text: 'The tide is high.' })
    const input = [{ type: 'message' as const, role: 'user' as const, content: marker }]

    const compacted = await sdk.responses.compact({ model, input })
    const next = await sdk.responses.create({
      model,
      input: [...(compacted.output as OpenAI.Responses.ResponseInputItem[]), ...input],
    })

    expect(compacted.object).toBe('response.compaction')
    expect(compacted.output.map(({ type }) => type)).toEqual(['message', 'compaction'])
    expect(compacted.usage.output_tokens).toBeGreaterThan(0)
    expect(next.output_text).toBe('The tide is high.')
  })
  it.concurrent('run over a WebSocket, and continue on it', async () => {
    const marker = `socket-${upstream}-end`
    const isOurs = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(marker)
    site.providerOf(model).when(isOurs, { text: 'The tide is high.' })
    const socket = new ResponsesWS(sdk)
    const next = async () => {
      for await (const message of socket) {
        if (message.type === 'error') throw message.error
        if (message.type === 'message' && message.message.type === 'response.completed') return message.message.response
      }
      throw new Error('the socket was closed')
    }

    socket.send({ type: 'response.create', model, input: marker, store: false })
    const first = await next()
    socket.send({ type: 'response.create', model, input: 'And now?', previous_response_id: first.id, store: false })
    const second = await next()
    socket.close()

    expect([first.status, second.status]).toEqual(['completed', 'completed'])
    const { rawBody } = site.providerOf(model).requests.findLast(isOurs)!
    expect(rawBody.toString()).toMatch(new RegExp(`${marker}.*The tide is high.*And now`))
  })
})
