import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { KEY, type TestResponse, type TestGateway } from '../support/gateway.ts'
import { CHAT_CASES, chatRequest, expectKeyInPlace, gatewayTo, MODEL, type ChatCase } from './case.ts'
import { startProvider, type FakeProvider } from './provider.ts'
import { textOf, type FakeResponse } from './wire-formats.ts'

const COUNTS = { input: 12, output: 6 }
const JSON_BODY = { 'content-type': 'application/json' }

let provider: FakeProvider
let gateway: TestGateway
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())
afterEach(async () => {
  await gateway.close()
  provider.reset()
})

/** Sends a short chat. The response is in the provider's format. */
async function talk(providerCase: ChatCase, { stream, counts }: { stream: boolean; counts?: FakeResponse['counts'] }) {
  const { chat } = providerCase
  const output = { model: chat.model, pieces: ['The tide ', 'turns at ', 'noon.'], counts }
  const streamed = stream && !chat.neverStreams
  provider.respond = ({ body }) => (streamed ? chat.format.stream(output, body) : chat.format.whole(output))
  gateway = await gatewayTo(provider, providerCase, chat)
  const response = await sendChat(providerCase, stream)
  return { response, expected: textOf(output), request: provider.requests[0]! }
}

function sendChat({ chat }: ChatCase, stream: boolean): Promise<TestResponse> {
  const { path, body } = chatRequest(chat, { stream })
  return gateway.send({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

interface Choice {
  readonly text?: string
  readonly message?: { readonly content?: string }
  readonly delta?: { readonly content?: string }
  readonly finish_reason?: string | null
}

interface Interaction {
  readonly status?: string
  readonly steps?: readonly { readonly content?: readonly { readonly text?: string }[] }[]
}

interface InteractionEvent {
  readonly delta?: { readonly text?: string }
  readonly interaction?: Interaction
}

/** The text that a client reads, and the finish reason. */
function readText({ chat }: ChatCase, response: TestResponse, stream: boolean) {
  const all = (
    stream ? response.data.slice(0, -1).map((line) => JSON.parse(line) as unknown) : [response.json]
  ) as never
  return chat.dialect === 'gemini-interactions' ? readInteraction(all, stream) : readChoices(all)
}

function readChoices(responses: readonly { readonly choices: readonly Choice[] }[]) {
  const choices = responses.flatMap((response) => response.choices)
  return {
    text: choices.map(({ text, message, delta }) => text ?? message?.content ?? delta?.content ?? '').join(''),
    finish: choices.flatMap(({ finish_reason }) => finish_reason ?? []),
  }
}

function readInteraction(all: readonly (Interaction & InteractionEvent)[], stream: boolean) {
  const last = stream ? all.at(-1)!.interaction! : all[0]!
  const whole = last.steps?.flatMap(({ content = [] }) => content.map(({ text = '' }) => text)) ?? []
  const text = stream ? all.map(({ delta }) => delta?.text ?? '') : whole
  return { text: text.join(''), finish: [last.status === 'completed' ? 'stop' : last.status] }
}

describe.each(CHAT_CASES)('$name', (providerCase) => {
  const { chat, row } = providerCase

  it.each([false, true])('is called in its own protocol, read to the end and billed, streamed: %s', async (stream) => {
    const { response, expected, request } = await talk(providerCase, { stream, counts: COUNTS })

    const path = (row.prefix ?? '/relay') + ((stream && chat.streamPath) || chat.path)
    expect(provider.requests).toHaveLength(1)
    expect(request.method).toBe(chat.overSocket ? 'GET' : 'POST')
    expect(chat.overSocket ? request.url.replace(/\?.*/, '') : request.url).toBe(path)
    expectKeyInPlace(providerCase, request, provider.url)
    expect(request.headers).toMatchObject({ ...(!chat.overSocket && JSON_BODY), ...chat.headers })
    expect(chat.name ? chat.name.find(request.body) : request.body.model).toBe(chat.name?.as)
    expect(request.text).not.toContain(MODEL)

    expect(response.status).toBe(200)
    expect(readText(providerCase, response, stream)).toEqual({ text: expected, finish: ['stop'] })
    expect(stream ? response.data.at(-1) : '[DONE]').toBe('[DONE]')

    const [settled] = gateway.credit.settled
    const isCounted = stream ? chat.counts.stream : chat.counts.whole
    expect(settled?.usage).toMatchObject(isCounted ? { ...COUNTS, estimated: false } : { estimated: true })
    expect(settled?.receipt.quota).toBeGreaterThan(0)
    expect(settled?.log).toMatchObject({ channelId: 1, isStream: stream && !chat.neverStreams, modelName: MODEL })
    expect(gateway.credit.mistakes).toEqual([])
  })

  it.each([false, true])('is counted here where it reports no usage, streamed: %s', async (stream) => {
    await talk(providerCase, { stream })

    const [settled] = gateway.credit.settled
    expect(settled?.usage).toMatchObject({ estimated: true })
    expect(settled?.usage.input).toBeGreaterThan(3)
    expect(settled?.usage.output).toBeGreaterThan(3)
    expect(settled?.receipt.quota).toBeGreaterThan(0)
  })
})
