import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { encodeBaidu } from './encode-request.ts'
import { baidu } from './index.ts'
import { baiduReader } from './read-response.ts'

const settings = readSettings(new Map())
const target = (model: string) => ({ baseUrl: '', key: 'ak|sk', model })
const encode = (body: object) => encodeBaidu({ ...body }, { stream: true, caller: () => 'alex' })
const user = { role: 'user', content: 'hello' }
const HOME = 'https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop'

describe("paths of Baidu's models", () => {
  it.each([
    ['ERNIE-4.0-8K', 'completions_pro'],
    ['ERNIE-3.5-8K', 'completions'],
    ['ERNIE-Speed-8K', 'ernie_speed'],
    ['ERNIE-Speed-128K', 'ernie-speed-128k'],
    ['BLOOMZ-7B', 'bloomz_7b1'],
    ['my own/service', 'my%20own%2Fservice'],
  ])('%s: %s', (model, path) => {
    expect(baidu.chatApis![0]!.url(target(model), { stream: true, settings })).toBe(`${HOME}/chat/${path}`)
  })

  it('has other paths for embeddings', () => {
    const { url } = baidu.operations!.embeddings!

    expect(url(target('bge-large-zh'), { settings })).toBe(`${HOME}/embeddings/bge_large_zh`)
    expect(url(target('Embedding-V1'), { settings })).toBe(`${HOME}/embeddings/embedding-v1`)
  })
})

describe('Baidu requests', () => {
  it("separates system messages, merges turns, and applies Baidu's limits", () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: 'good day' },
      user,
      { role: 'user', content: 'when is the tide?' },
    ]

    expect(encode({ messages, max_tokens: 1, temperature: 2, stop: ['END'], user: 'ada' })).toEqual({
      system: 'Be brief.',
      messages: [
        { role: 'user', content: '...' },
        { role: 'assistant', content: 'good day' },
        { role: 'user', content: 'hello\n\nwhen is the tide?' },
      ],
      stream: true,
      max_output_tokens: 2,
      temperature: 1,
      stop: ['END'],
      user_id: 'ada',
    })
    expect(encode({ messages: [user], temperature: 0 })).toMatchObject({ temperature: 0.01, user_id: 'alex' })
    expect(encode({ messages: [user], temperature: 0.4 })).toMatchObject({ temperature: 0.4 })
  })

  it('names the function of a tool result, because there are no call ids', () => {
    const tools = [{ type: 'function', function: { name: 'tide', description: 'tells', parameters: {} } }]
    const call = { id: 'c1', function: { name: 'tide', arguments: '{}' } }
    const messages = [
      user,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'noon' },
    ]

    expect(encode({ messages, tools })).toMatchObject({
      messages: [
        user,
        { role: 'assistant', function_call: { name: 'tide', arguments: '{}' } },
        { role: 'function', name: 'tide', content: 'noon' },
      ],
      functions: [{ name: 'tide', description: 'tells', parameters: {} }],
    })
    const both = [user, { role: 'assistant', tool_calls: [call, call] }, messages[2]]
    expect(() => encode({ messages: both, tools })).toThrow('several calls at once')
  })

  it.each([
    [{ messages: [user, { role: 'assistant', content: 'The tide' }] }],
    [{ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.example' } }] }] }],
    [{ messages: [user], response_format: { type: 'json_schema' } }],
    [{ messages: [user], tools: [{ function: { name: 'f' } }], tool_choice: 'required' }],
  ])('rejects %j', (body) => {
    expect(() => encode(body)).toThrow(expect.objectContaining({ code: 'cannot_express' }))
  })
})

describe('Baidu responses', () => {
  it.each([
    [110, 401],
    [17, 402],
    [18, 429],
    [336003, 400],
    [2, 502],
  ])('maps error %i to status %i', (error_code, status) => {
    const body = { error_code, error_msg: 'no' }

    expect(() => baiduReader.readBody(body)).toThrow(expect.objectContaining({ kind: 'answer', status }))
    expect(() => baiduReader.readEvent(body)).toThrow(expect.objectContaining({ status }))
  })

  it('reports a truncated response', () => {
    expect(baiduReader.readBody({ result: 'a', is_truncated: true })).toMatchObject({
      text: 'a',
      finishReason: 'length',
    })
  })

  it("converts embeddings to OpenAI's format, or throws the error", () => {
    const { encode, decode } = baidu.operations!.embeddings!
    const usage = { prompt_tokens: 2, total_tokens: 2 }

    expect(encode!({ input: 'a', model: 'm' }, { model: 'm' })).toEqual({ input: ['a'] })
    expect(decode!({ data: [{ index: 0, embedding: [1] }], usage }, { model: 'm' })).toEqual({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [1] }],
      model: 'm',
      usage,
    })
    expect(() => decode!({ error_code: 110, error_msg: 'no' }, {})).toThrow(expect.objectContaining({ status: 401 }))
    expect(decode!({}, {})).toBeUndefined()
  })
})

describe('Baidu access tokens', () => {
  const url = `${HOME}/chat/completions`
  const sign = (response: object, lifetimes: number[] = []) =>
    baidu.signUrl!({ target: target('m'), url, method: 'POST', body: '' }, {
      token: async (_name: string, trade: () => Promise<{ token: string; lifetimeMs: number }>) => {
        const { token, lifetimeMs } = await trade()
        lifetimes.push(lifetimeMs)
        return token
      },
      postForm: (address: string) =>
        address ===
        'https://aip.baidubce.com/oauth/2.0/token?grant_type=client_credentials&client_id=ak&client_secret=sk'
          ? Promise.resolve(response)
          : Promise.reject(new Error(address)),
    } as never)

  it('are sent in the query and cached for a limited time', async () => {
    const lifetimes: number[] = []

    expect(await sign({ access_token: 'a b', expires_in: 2_592_000 }, lifetimes)).toBe(`${url}?access_token=a+b`)
    await sign({ access_token: 't', expires_in: 60 }, lifetimes)

    expect(lifetimes).toEqual([3_600_000, 60_000])
  })

  it('fail if the response has no token', async () => {
    await expect(sign({})).rejects.toMatchObject({ name: 'UpstreamFailure' })
  })
})
