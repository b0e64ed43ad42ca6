import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { hunyuan, tencentAuthorization } from './index.ts'
import { encodeHunyuan } from './encode-request.ts'
import { hunyuanReader } from './read-response.ts'

const target = { baseUrl: '', key: '1250000000|AKIDtest|secret', model: 'hunyuan-pro' }
const settings = readSettings(new Map())
const encode = (body: object) => encodeHunyuan({ ...body }, { target, stream: false })

describe("Tencent's signature", () => {
  it('matches the published example', () => {
    // From Tencent's documentation of Signature v3.
    const authorization = tencentAuthorization({
      secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
      secretKey: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
      service: 'cvm',
      host: 'cvm.tencentcloudapi.com',
      contentType: 'application/json; charset=utf-8',
      timestamp: 1551113065,
      payload: String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`,
    })

    expect(authorization).toBe(
      'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, ' +
        'SignedHeaders=content-type;host, Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
    )
  })

  it('uses the id and the secret of the key, and the host of the request', async () => {
    const url = hunyuan.chatApis![0]!.url(
      { ...target, baseUrl: 'https://own.example/ignored' },
      { stream: false, settings },
    )
    const now = new Date('2026-06-01T12:00:00Z')

    const headers = await hunyuan.sign!({ target, url, method: 'POST', body: '{}' }, { now: () => now } as never)

    expect(url).toBe('https://own.example/')
    expect(headers).toMatchObject({
      'x-tc-timestamp': '1780315200',
      authorization: tencentAuthorization({
        secretId: 'AKIDtest',
        secretKey: 'secret',
        service: 'hunyuan',
        host: 'own.example',
        contentType: headers['content-type']!,
        timestamp: 1780315200,
        payload: '{}',
      }),
    })
  })
})

describe('Hunyuan requests', () => {
  it('start with the system message and merge turns', () => {
    const messages = [
      { role: 'user', content: 'hello' },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'and good day' },
    ]

    expect(encode({ messages, temperature: 0, top_p: 0.5, stop: 'END', max_tokens: 5 })).toEqual({
      Model: 'hunyuan-pro',
      Messages: [
        { Role: 'system', Content: 'Be brief.' },
        { Role: 'user', Content: 'hello\n\nand good day' },
      ],
      Stream: false,
      Temperature: 0,
      TopP: 0.5,
      Stop: ['END'],
    })
  })

  it('contain images, tools, tool calls and their results', () => {
    const parameters = { type: 'object', properties: { port: { type: 'string' } } }
    const tools = [{ type: 'function', function: { name: 'tide', description: 'tells', parameters } }]
    const call = { id: 'c1', type: 'function', function: { name: 'tide', arguments: '{"port":"Emden"}' } }
    const content = [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
    ]
    const messages = [
      { role: 'user', content },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'noon' },
    ]
    const tool = {
      Type: 'function',
      Function: { Name: 'tide', Description: 'tells', Parameters: JSON.stringify(parameters) },
    }

    expect(encode({ messages, tools, tool_choice: { type: 'function', function: { name: 'tide' } } })).toMatchObject({
      Messages: [
        {
          Role: 'user',
          Contents: [
            { Type: 'text', Text: 'look' },
            { Type: 'image_url', ImageUrl: { Url: 'https://x.example/a.png' } },
          ],
        },
        {
          Role: 'assistant',
          ToolCalls: [{ Id: 'c1', Type: 'function', Function: { Name: 'tide', Arguments: '{"port":"Emden"}' } }],
        },
        { Role: 'tool', ToolCallId: 'c1', Content: 'noon' },
      ],
      Tools: [tool],
      ToolChoice: 'custom',
      CustomTool: tool,
    })
    expect(encode({ messages, tools, tool_choice: 'none' })).not.toHaveProperty('Tools')
  })

  it.each([
    [{ tools: [{ function: { name: 'f' } }], tool_choice: 'required' }],
    [{ response_format: { type: 'json_schema' } }],
    [{ messages: [{ role: 'assistant', content: 'The tide' }] }],
    [{ messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }],
  ])('reject %j', (body) => {
    expect(() => encode({ messages: [], ...body })).toThrow(expect.objectContaining({ code: 'cannot_express' }))
  })
})

describe('Hunyuan responses', () => {
  it.each([
    ['AuthFailure.SignatureFailure', 401],
    ['FailedOperation.ResourcePackExhausted', 402],
    ['FailedOperation.ServiceStopArrears', 402],
    ['RequestLimitExceeded', 429],
    ['InvalidParameterValue.Model', 400],
    ['InternalError', 502],
  ])('report error %s as status %i', (Code, status) => {
    const body = { Response: { Error: { Code, Message: 'no' }, RequestId: 'r' } }

    expect(() => hunyuanReader.readBody(body)).toThrow(expect.objectContaining({ kind: 'answer', status }))
    expect(() => hunyuanReader.readEvent(body)).toThrow(expect.objectContaining({ status }))
  })

  it('contain reasoning, and report filtered content', () => {
    const choice = { FinishReason: 'sensitive', Message: { Role: 'assistant', Content: 'a', ReasoningContent: 'b' } }

    expect(hunyuanReader.readBody({ Response: { Choices: [choice] } })).toMatchObject({
      text: 'a',
      reasoning: 'b',
      finishReason: 'content_filter',
    })
  })
})
