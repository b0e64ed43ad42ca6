import { createHash, createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { ReceivedRequest } from './provider.ts'

/** A token of three parts, signed with the secret half of the key, sent without a scheme. */
export function verifyZhipu({ headers: { authorization = '' } }: ReceivedRequest, key: string): void {
  const [id, secret = ''] = key.split('.')
  const [head, claims, signature] = authorization.split('.')
  const { api_key, exp, timestamp } = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()) as {
    api_key: string
    exp: number
    timestamp: number
  }
  expect([api_key, exp > timestamp]).toEqual([id, true])
  expect(signature).toBe(createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url'))
}

/** The signature names the key, its region and the signed headers. The tests of the signer check its value. */
export function verifyAmazon({ headers: { authorization = '', ...headers } }: ReceivedRequest, key: string): void {
  const [id, , region] = key.split('|')
  expect(authorization).toMatch(
    new RegExp(
      `^AWS4-HMAC-SHA256 Credential=${id}/\\d{8}/${region}/bedrock/aws4_request, SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, Signature=[0-9a-f]{64}$`,
    ),
  )
  expect(headers['x-amz-date']).toMatch(/^\d{8}T\d{6}Z$/)
}

/** Tencent's signature, version 3, computed from the received request. */
export function verifyTencent({ headers, text }: ReceivedRequest, key: string): void {
  const [, id, secret = ''] = key.split('|')
  const timestamp = String(headers['x-tc-timestamp'])
  const day = new Date(Number(timestamp) * 1000).toISOString().slice(0, 10)
  const hash = (content: string) => createHash('sha256').update(content).digest('hex')
  const mac = (made: string | Buffer, part: string) => createHmac('sha256', made).update(part).digest()
  const signed = `content-type:${headers['content-type']}\nhost:${headers.host}\n`
  const request = `POST\n/\n\n${signed}\ncontent-type;host\n${hash(text)}`
  const scope = `${day}/hunyuan/tc3_request`
  const sealed = mac(
    mac(mac(mac(`TC3${secret}`, day), 'hunyuan'), 'tc3_request'),
    ['TC3-HMAC-SHA256', timestamp, scope, hash(request)].join('\n'),
  ).toString('hex')
  expect(headers.authorization).toBe(
    `TC3-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=content-type;host, Signature=${sealed}`,
  )
}

/** A signature over host, time and path, in the URL of a WebSocket. */
export function verifySpark({ url }: ReceivedRequest, key: string): void {
  const [, secret = '', id] = key.split('|')
  const { pathname, searchParams: query } = new URL(url, 'http://provider')
  const text = `host: ${query.get('host')}\ndate: ${query.get('date')}\nGET ${pathname} HTTP/1.1`
  const signature = createHmac('sha256', secret).update(text).digest('base64')
  expect(Buffer.from(query.get('authorization') ?? '', 'base64').toString()).toBe(
    `api_key="${id}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
  )
}
