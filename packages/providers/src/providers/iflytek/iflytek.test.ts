import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { domainOf, encodeIflytek, versionOf } from './encode-request.ts'
import { iflytek, signedUrl } from './index.ts'

const settings = readSettings(new Map())
const target = (model: string, other = '') => ({ baseUrl: '', key: 'app|secret|apikey', model, other })
const encode = (body: object, model = 'SparkDesk') =>
  encodeIflytek({ ...body }, { target: target(model), caller: () => 'c'.repeat(40) })

describe("iFlytek's signature", () => {
  it('matches the published example', () => {
    // From iFlytek's documentation of dictation; all its websockets use the same signature.
    const address = signedUrl({
      url: 'https://iat-api.xfyun.cn/v2/iat',
      apiKey: 'keyxxxxxxxx8ee279348519exxxxxxxx',
      apiSecret: 'secretxxxxxxxx2df7900c09xxxxxxxx',
      now: new Date('2019-07-10T07:35:43Z'),
    })

    const { searchParams } = new URL(address)
    expect(Object.fromEntries(searchParams)).toEqual({
      authorization:
        'YXBpX2tleT0ia2V5eHh4eHh4eHg4ZWUyNzkzNDg1MTlleHh4eHh4eHgiLCBhbGdvcml0aG09ImhtYWMtc2hhMjU2IiwgaGVhZGVycz0iaG9zdCBkYXRlIHJlcXVlc3QtbGluZSIsIHNpZ25hdHVyZT0iSHAzVHk0WmtTQm1MOGpLeU9McFFpdjlTcjVudm1lWUVIN1dzTC9aTzJKZz0i',
      date: 'Wed, 10 Jul 2019 07:35:43 GMT',
      host: 'iat-api.xfyun.cn',
    })
  })

  it('uses the secret of the key', async () => {
    const now = new Date('2026-06-01T12:00:00Z')
    const url = 'https://spark-api.xf-yun.com/v3.5/chat'

    expect(
      await iflytek.signUrl!({ target: target('m'), url, method: 'POST', body: '' }, { now: () => now } as never),
    ).toBe(signedUrl({ url, apiKey: 'apikey', apiSecret: 'secret', now }))
  })
})

describe('Spark versions', () => {
  it.each([
    ['SparkDesk', '', 'v2.1', 'generalv2'],
    ['SparkDesk', 'v1.1', 'v1.1', 'lite'],
    ['SparkDesk-v3.1', 'v1.1', 'v3.1', 'generalv3'],
    ['SparkDesk-v3.5', '', 'v3.5', 'generalv3.5'],
    ['spark-V4.0', '', 'v4.0', '4.0Ultra'],
  ])('follow the model: %s on a channel with "%s" uses %s, %s', (model, other, version, domain) => {
    expect(versionOf({ model, other })).toBe(version)
    expect(domainOf(version)).toBe(domain)
  })

  it('are part of the URL', () => {
    const url = (baseUrl: string) => iflytek.chatApis![0]!.url({ ...target('m'), baseUrl }, { stream: true, settings })

    expect(url('')).toBe('https://spark-api.xf-yun.com/v2.1/chat')
    expect(url('wss://own.example/')).toBe('https://own.example/v2.1/chat')
  })
})

describe('Spark requests', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'hello' },
  ]

  it('use a system message if the version supports it, else the first user message', () => {
    const texts = (model: string) => encode({ messages }, model).payload

    expect(texts('X-v4.0')).toEqual({ message: { text: messages } })
    expect(texts('X-v1.1')).toEqual({ message: { text: [{ role: 'user', content: 'Be brief.\n\nhello' }] } })
  })

  it("stay within Spark's limits", () => {
    expect(encode({ messages, temperature: 0, max_tokens: 7 })).toMatchObject({
      header: { app_id: 'app', uid: 'c'.repeat(32) },
      parameter: { chat: { domain: 'generalv2', temperature: 0.01, max_tokens: 7 } },
    })
  })
})
