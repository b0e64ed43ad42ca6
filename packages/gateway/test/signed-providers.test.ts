import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { startGateway, type TestGateway } from './support/gateway.ts'

const MODEL = 'claude-3-haiku-20240307'
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: MODEL,
  content: [{ type: 'text', text: 'The tide turns at noon.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 12, output_tokens: 6 },
}
const EVENTS = [
  {
    type: 'message_start',
    message: { ...MESSAGE, content: [], stop_reason: null, usage: { input_tokens: 12, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'The tide turns ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'at noon.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 6 } },
  { type: 'message_stop' },
]

let amazon: Server
let gateway: TestGateway
const requests: { request: IncomingMessage; body: Record<string, unknown> }[] = []
beforeAll(async () => {
  amazon = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ request, body: JSON.parse(body) as Record<string, unknown> })
      if (!request.url?.endsWith('-stream'))
        return response.setHeader('content-type', 'application/json').end(JSON.stringify(MESSAGE))
      response.setHeader('content-type', 'application/vnd.amazon.eventstream')
      for (const event of EVENTS) response.write(encodeEvent(event))
      return response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(amazon, 'listening')
  const baseUrl = `http://127.0.0.1:${(amazon.address() as AddressInfo).port}`
  gateway = await startGateway({
    channels: [aChannel({ type: 33, baseUrl, keys: ['AK|SK|us-east-1'], models: [MODEL] })],
    settings: { ModelRatio: { [MODEL]: 1 }, CompletionRatio: { [MODEL]: 1 } },
  })
})
afterAll(async () => {
  await gateway.close()
  amazon.close()
})

describe("Claude in Amazon's cloud", () => {
  it.each([false, true])('serves a client of OpenAI, streamed: %s, and is billed by its usage', async (stream) => {
    const messages = [{ role: 'user', content: 'When does the tide turn?' }]

    const response = await gateway.chat({ model: MODEL, messages, stream })

    const text = stream
      ? response.data
          .filter((data) => data !== '[DONE]')
          .map(
            (data) =>
              (JSON.parse(data) as { choices: { delta?: { content?: string } }[] }).choices[0]?.delta?.content ?? '',
          )
          .join('')
      : (response.json.choices[0].message.content as string)
    expect(text).toBe('The tide turns at noon.')
    expect(gateway.credit.settled.at(-1)?.usage).toMatchObject({ input: 12, output: 6, estimated: false })
    const { request, body } = requests.at(-1)!
    expect(request.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/us-east-1\/bedrock\/aws4_request/,
    )
    expect(request.url).toBe(`/model/us.anthropic.${MODEL}-v1%3A0/invoke${stream ? '-with-response-stream' : ''}`)
    expect(body).toMatchObject({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 8192 })
    expect(body).not.toHaveProperty('model')
    expect(body).not.toHaveProperty('stream')
  })
})

/** One event in Amazon's frame: lengths, their checksum, headers, the body, and a checksum of everything. */
function encodeEvent(event: object): Buffer {
  const body = Buffer.from(JSON.stringify({ bytes: Buffer.from(JSON.stringify(event)).toString('base64') }))
  const headers = header(':message-type', 'event')
  const frame = Buffer.alloc(12 + headers.length + body.length + 4)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(headers.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  headers.copy(frame, 12)
  body.copy(frame, 12 + headers.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4)
  return frame
}

function header(name: string, value: string): Buffer {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(value.length)
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), size, Buffer.from(value)])
}
