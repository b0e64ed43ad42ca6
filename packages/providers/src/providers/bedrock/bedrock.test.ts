import { createHash, createHmac } from 'node:crypto'
import { readSettings } from '@tidegate/contract'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { describe, expect, it } from 'vitest'
import { failureFromResponse, FAILURES, UpstreamFailure } from '../../upstream/failure.ts'
import type { UpstreamResponse } from '../../upstream/types.ts'
import { bedrockModelName, bedrock, classifyBedrock } from './index.ts'
import { unpackEvents } from './read-events.ts'

const KEY = 'AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1'
const settings = readSettings(new Map())
const [conversation] = bedrock.chatApis!
const target = { baseUrl: '', key: KEY, model: 'claude-3-haiku-20240307' }
const url = conversation!.url(target, { stream: true, settings })

describe('Bedrock requests', () => {
  it("go to the region of the key and to the model's Bedrock name", () => {
    expect(url).toBe(
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-3-haiku-20240307-v1%3A0/invoke-with-response-stream',
    )
    expect(bedrockModelName('claude-3-5-sonnet-20241022', 'eu-west-1')).toBe(
      'anthropic.claude-3-5-sonnet-20241022-v2:0',
    )
    expect(bedrockModelName('claude-3-haiku-20240307', 'ap-northeast-1')).toMatch(/^apac\./)
    expect(bedrockModelName('claude-opus-4-6', 'ap-northeast-1')).toBe('apac.anthropic.claude-opus-4-6-v1')
    expect(bedrockModelName('claude-sonnet-4-6', 'sa-east-1')).toBe('global.anthropic.claude-sonnet-4-6')
    expect(bedrockModelName('amazon.nova-pro-v1:0', 'us-east-1')).toBe('amazon.nova-pro-v1:0')
  })

  it("follow the rules of Claude's own name behind a name of Amazon", () => {
    const model = 'us.anthropic.claude-opus-4-8-v1'
    const body = { max_tokens: 2048, thinking: { type: 'enabled', budget_tokens: 1024 } }

    const adapted = conversation!.adapt!(body, { model, requestedModel: model, settings, isPassThrough: false })

    expect(adapted.model).toBe(model)
    expect(adapted.changes).toMatchObject({ thinking: { type: 'adaptive' } })
  })

  it('are signed with signature version 4', async () => {
    const now = new Date('2026-06-01T12:00:00Z')
    const body = '{"anthropic_version":"bedrock-2023-05-31"}'

    const headers = await bedrock.sign!({ target, url, method: 'POST', body }, { now: () => now } as never)

    expect(headers).toMatchObject({ 'x-amz-date': '20260601T120000Z', authorization: expect.any(String) })
    expect(headers).not.toHaveProperty('host')
    expect(headers.authorization).toBe(signature({ url, body, headers, date: '20260601T120000Z' }))
  })
})

/** Written from the public specification, without the library, to check it independently. */
function signature({
  url,
  body,
  headers,
  date,
}: {
  url: string
  body: string
  headers: Record<string, string>
  date: string
}) {
  const [accessKey, secret, region] = KEY.split('|')
  const { host, pathname } = new URL(url)
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const all: Record<string, string> = { ...headers, host }
  const names = Object.keys(all)
    .filter((name) => name !== 'authorization')
    .toSorted()
  const path = pathname.split('/').map(encodeURIComponent).join('/')
  const canonical = ['POST', path, '', ...names.map((name) => `${name}:${all[name]}`), '', names.join(';'), hash(body)]
  const scope = `${date.slice(0, 8)}/${region}/bedrock/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, hash(canonical.join('\n'))].join('\n')
  const key = ['bedrock', 'aws4_request'].reduce<Buffer>(
    (made, part) => mac(made, part),
    mac(mac(`AWS4${secret}`, date.slice(0, 8)), region!),
  )
  const signed = createHmac('sha256', key).update(text).digest('hex')
  return `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signed}`
}

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
)
const encodeEvent = (event: object) =>
  message(
    { ':message-type': 'event', ':event-type': 'chunk' },
    { bytes: Buffer.from(JSON.stringify(event)).toString('base64') },
  )

function message(headers: Record<string, string>, payload: object): Uint8Array {
  const typed = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, { type: 'string' as const, value }]),
  )
  return codec.encode({ headers: typed, body: Buffer.from(JSON.stringify(payload)) })
}

function responseOf(bytes: Uint8Array, sizes: number): UpstreamResponse {
  let at = 0
  return {
    status: 200,
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    bufferedBytes: 0,
    read: () => Promise.resolve(at >= bytes.length ? undefined : bytes.subarray(at, (at += sizes))),
    limitSilence() {},
    finish() {},
    abort() {},
  }
}

async function textOf(response: UpstreamResponse): Promise<string> {
  let text = ''
  for (let chunk = await response.read(); chunk; chunk = await response.read())
    text += Buffer.from(chunk).toString('utf8')
  return text
}

describe('Bedrock event streams', () => {
  const events = [
    { type: 'message_start', n: 1 },
    { type: 'content_block_delta', text: '潮水' },
    { type: 'message_stop' },
  ]
  const bytes = Buffer.concat(events.map(encodeEvent))

  it.each([1, 7, 64, 100_000])('are read in chunks of %i bytes', async (size) => {
    const response = unpackEvents(responseOf(bytes, size))

    expect(response.headers['content-type']).toBe('text/event-stream')
    expect(await textOf(response)).toBe(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    )
  })

  it('report an exception as an error', async () => {
    const thrown = message(
      { ':message-type': 'exception', ':exception-type': 'throttlingException' },
      { message: 'slow' },
    )

    expect(await textOf(unpackEvents(responseOf(thrown, 1000)))).toContain(
      '"error":{"type":"throttlingException","message":"slow"}',
    )
  })

  it('fail if they are truncated or corrupted, and stop reading', async () => {
    const spoilt = Buffer.from(bytes)
    spoilt[20] = spoilt[20]! ^ 1

    await expect(textOf(unpackEvents(responseOf(bytes.subarray(0, -3), 50)))).rejects.toThrow()
    await expect(textOf(unpackEvents(responseOf(spoilt, 50)))).rejects.toThrow()
    await expect(textOf(unpackEvents(responseOf(Buffer.alloc(100, 0xff), 50)))).rejects.toThrow()
    const noJson = message({ ':message-type': 'event' }, { bytes: Buffer.from('{').toString('base64') })
    await expect(textOf(unpackEvents(responseOf(noJson, 50)))).rejects.toMatchObject({ name: 'UpstreamFailure' })
  })

  it('return everything before a corrupted message, also when both arrive in one read', async () => {
    const noJson = message({ ':message-type': 'event' }, { bytes: Buffer.from('{').toString('base64') })
    const response = unpackEvents(responseOf(Buffer.concat([bytes, noJson]), 100_000))

    expect(Buffer.from((await response.read())!).toString()).toContain('message_stop')
    await expect(response.read()).rejects.toMatchObject({ name: 'UpstreamFailure' })
  })

  it('leave other content types unchanged', () => {
    const plain = { ...responseOf(bytes, 1), headers: { 'content-type': 'application/json' } }

    expect(unpackEvents(plain)).toBe(plain)
  })
})

/** An exception in the middle of a stream. */
const exception = (type: string) =>
  new UpstreamFailure({ kind: 'answer', status: 502, error: { type, message: 'no more' } })

describe('classifyBedrock', () => {
  it.each([
    [failureFromResponse(403, '{"message":"The security token included in the request is invalid."}'), 'auth'],
    [failureFromResponse(429, '{"message":"Too many requests"}'), 'rate'],
    [failureFromResponse(400, '{"message":"messages: field required"}'), 'client'],
    [failureFromResponse(424, '{"message":"the model failed"}'), 'server'],
    [failureFromResponse(503, '{"message":"unavailable"}'), 'server'],
    [exception('throttlingException'), 'rate'],
    [exception('validationException'), 'client'],
    [exception('modelStreamErrorException'), 'server'],
    [FAILURES.aborted(), 'client'],
  ])('classifies %s as %s', (failure, fault) => {
    expect(classifyBedrock(failure)).toBe(fault)
  })
})
