import { fakeUpstream, type FakeUpstream, type ReceivedRequest } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from '../support/catalog.ts'
import { KEY, startGateway, type TestGateway } from '../support/gateway.ts'

const [OPENAI, CLAUDE, GEMINI] = [1, 14, 24]
const MODEL = 'claude-opus-5'

let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
})
afterEach(() => upstream.reset())
afterAll(() => upstream.close())

const post = (gateway: TestGateway, path: string, body: object, headers = {}) =>
  gateway.send({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: MODEL, ...body }),
  })

describe('the session of a coding agent', () => {
  const TURNS = 3
  const SESSIONS = ['one', 'two', 'three', 'four', 'five', 'six']
  let nodes: TestGateway[]
  beforeEach(async () => {
    let last = 0
    const random = () => (last = (last + 0.37) % 1)
    const channels = [1, 2, 3, 4].map((id) =>
      aChannel({ id, type: OPENAI, baseUrl: upstream.url, models: [MODEL], keys: [`${id}-a`, `${id}-b`] }),
    )
    nodes = [await startGateway({ channels, random }), await startGateway({ channels, random })]
  })
  afterEach(() => Promise.all(nodes.map((node) => node.close())))

  const messages = [{ role: 'user', content: 'hi' }]
  const chat = ['/v1/chat/completions', { messages }] as const
  const claude = ['/v1/messages', { messages, max_tokens: 5 }] as const
  const responses = ['/v1/responses', { input: 'hi' }] as const
  const gemini = `/v1beta/models/${MODEL}:generateContent`
  const userId = (user_id: string) => ({ metadata: { user_id } })
  interface Turn {
    readonly headers?: object
    readonly body?: object
  }
  const CLIENTS: [string, string, object, (session: string, turn: number) => Turn][] = [
    ['Claude Code', ...claude, (session) => ({ headers: { 'x-claude-code-session-id': session } })],
    [
      'Claude Code, in the body',
      ...claude,
      (session, turn) => ({ body: userId(JSON.stringify({ device_id: `device ${turn}`, session_id: session })) }),
    ],
    [
      'an older Claude Code',
      ...claude,
      (session, turn) => ({ body: userId(`user_${turn}_account__session_${session}`) }),
    ],
    ['Codex', ...responses, (session) => ({ headers: { 'session-id': session, 'thread-id': session } })],
    ['Codex, in the body', ...responses, (session) => ({ body: { prompt_cache_key: session } })],
    ['opencode', ...chat, (session) => ({ headers: { 'x-session-affinity': session, 'x-session-id': session } })],
    ['opencode, by its own header', ...chat, (session) => ({ headers: { 'x-opencode-session': session } })],
    ['Cline', ...chat, (session) => ({ headers: { 'x-task-id': session } })],
    [
      'Gemini CLI',
      gemini,
      {},
      (session, turn) => ({
        headers: { 'user-agent': `GeminiCLI-tui/0.61.0/${MODEL}` },
        body: {
          systemInstruction: { parts: [{ text: 'You are an agent.' }] },
          contents: [`folder ${session}`, 'Yes.', `turn ${turn}`].map((text, at) => ({
            role: at % 2 ? 'model' : 'user',
            parts: [{ text }],
          })),
        },
      }),
    ],
  ]
  const keyOf = ({ headers }: ReceivedRequest) => headers.authorization

  it.each(CLIENTS)('has the same channel and key on every node: %s', async (_name, path, body, turnOf) => {
    const keysOf = new Map<string, Set<unknown>>()
    for (const session of SESSIONS) {
      for (let turn = 0; turn < TURNS; turn += 1) {
        for (const node of nodes) {
          const { headers, body: fields } = turnOf(session, turn)
          const response = await post(node, path, { ...body, ...fields }, headers)
          expect(response.status).toBe(200)
        }
      }
      keysOf.set(session, new Set(upstream.requests.map(keyOf)))
      upstream.reset()
    }

    expect([...keysOf.values()].map(({ size }) => size)).toEqual(SESSIONS.map(() => 1))
    expect(new Set([...keysOf.values()].flatMap((keys) => [...keys])).size).toBeGreaterThan(1)
  })

  it('is needed: other requests use all channels', async () => {
    for (let turn = 0; turn < 16; turn += 1) await post(nodes[0]!, ...chat)

    expect(new Set(upstream.requests.map(keyOf)).size).toBeGreaterThan(4)
  })
})

describe('thinking that another account or model signed', () => {
  let gateway: TestGateway
  const start = async (type: number, models = [MODEL]) => {
    const channels = [
      aChannel({ id: 1, type, baseUrl: upstream.url, models, keys: ['a', 'b'], priority: 1 }),
      aChannel({ id: 2, type, baseUrl: upstream.url, models, keys: ['c'] }),
    ]
    gateway = await startGateway({ channels, settings: { SelfUseModeEnabled: true } })
  }
  afterEach(() => gateway.close())

  const tools = [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }]
  const thinking = { type: 'enabled', budget_tokens: 1024 }
  const foreign = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVkIGVsc2V3aGVyZQ==' }
  const history = [
    { role: 'user', content: 'Where am I?' },
    { role: 'assistant', content: [foreign, { type: 'text', text: 'At sea.' }] },
    { role: 'user', content: 'And now?' },
  ]
  const toolLoop = [
    { role: 'user', content: 'Where am I?' },
    {
      role: 'assistant',
      content: [
        foreign,
        { type: 'redacted_thinking', data: 'Zm9yZWlnbg==' },
        { type: 'tool_use', id: 'call_1', name: 'look', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Water.' }] },
  ]
  const sent = () => upstream.requests.map(({ rawBody }) => rawBody.toString('utf8'))
  /** One retry with the same key, billed once, and no failed attempt in metrics and circuits. */
  const expectOneRetry = () => {
    const keys = upstream.requests.map(
      ({ headers }) => headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization,
    )
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
    expect(upstream.requests.map(({ sent: { status } }) => status)).toEqual([400, 200])
    expect(gateway.events.filter(({ kind }) => kind === 'attempt')).toMatchObject([{ outcome: 'served' }])
    expect(gateway.credit.settled).toHaveLength(1)
  }

  it.each([
    ['a finished turn', false, { messages: history }],
    ['a finished turn', true, { messages: history }],
    ['a tool loop', false, { messages: toolLoop, tools }],
    ['a tool loop', true, { messages: toolLoop, tools }],
  ])('is removed for one retry on the same key: %s of Claude, streamed %s', async (_name, stream, body) => {
    await start(CLAUDE)

    const { status, text } = await post(gateway, '/v1/messages', { ...body, thinking, max_tokens: 2000, stream })

    expect([status, text.includes('"type":"error"')]).toEqual([200, false])
    expectOneRetry()
    expect(sent()[1]).not.toContain('thinking","thinking')
    expect(sent()[1]).not.toContain('redacted_thinking')
    expect(sent()[1]).not.toContain(foreign.signature)
  })

  it('is removed from reasoning items of OpenAI', async () => {
    await start(OPENAI, ['gpt-5.4'])

    const { status } = await post(gateway, '/v1/responses', {
      model: 'gpt-5.4',
      store: false,
      input: [
        { role: 'user', content: 'Where am I?' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'Zm9yZWlnbg==' },
        { role: 'assistant', content: [{ type: 'output_text', text: 'At sea.' }] },
        { role: 'user', content: 'And now?' },
      ],
    })

    expect(status).toBe(200)
    expectOneRetry()
    expect(sent()[1]).not.toContain('"reasoning","id"')
  })

  it('is replaced in calls of Gemini', async () => {
    await start(GEMINI, ['gemini-3-pro-preview'])

    const { status } = await post(gateway, '/v1beta/models/gemini-3-pro-preview:generateContent', {
      model: undefined,
      contents: [
        { role: 'user', parts: [{ text: 'Where am I?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'look', args: {} }, thoughtSignature: 'Zm9yZWlnbg==' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { seen: 'Water.' } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'look', description: 'Looks.' }] }],
    })

    expect(status).toBe(200)
    expectOneRetry()
    expect(sent()[1]).toContain('skip_thought_signature_validator')
  })

  it('is removed from requests of another protocol', async () => {
    await start(CLAUDE)
    const { json } = await post(gateway, '/v1/chat/completions', {
      messages: [
        { role: 'user', content: 'Where am I?' },
        {
          role: 'assistant',
          content: 'At sea.',
          reasoning_details: [
            {
              type: 'reasoning.text',
              text: 'Hm.',
              signature: wrapped('anthropic-messages', foreign.signature),
              index: 0,
            },
          ],
        },
        { role: 'user', content: 'And now?' },
      ],
      reasoning_effort: 'low',
    })

    expect(json.choices).toHaveLength(1)
    expectOneRetry()
  })

  it('is retried only once, and other errors are not retried', async () => {
    await start(CLAUDE)
    upstream.always({
      status: 400,
      body: {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
        },
      },
    })

    const first = await post(gateway, '/v1/messages', { messages: history, thinking, max_tokens: 2000 })
    upstream.always({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message: 'messages: too many' } },
    })
    const second = await post(gateway, '/v1/messages', { messages: history, thinking, max_tokens: 2000 })

    expect([first.status, second.status, upstream.requests.length]).toEqual([400, 400, 3])
    expect(first.headers['x-should-retry']).toBe('false')
  })
})

/** A signature as the gateway gives it to clients of another protocol. */
function wrapped(dialect: string, value: string): string {
  return `tg1.${Buffer.from(JSON.stringify([dialect, value])).toString('base64url')}`
}
