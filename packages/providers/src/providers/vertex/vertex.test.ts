import { generateKeyPairSync } from 'node:crypto'
import { readSettings } from '@tidegate/contract'
import { jwtVerify, importSPKI } from 'jose'
import { describe, expect, it } from 'vitest'
import { chooseChatApi } from '../../provider.ts'
import { createRequestSigner } from '../../upstream/request-signer.ts'
import { regionFor, vertex } from './index.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const key = JSON.stringify({
  type: 'service_account',
  project_id: 'tide-1',
  client_email: 'gate@tide-1.example',
  private_key: privateKey,
  token_uri: 'https://tokens.example/token',
})
const settings = readSettings(new Map())
const urlOf = (model: string, { other = 'europe-west1', stream = false } = {}) => {
  const target = { baseUrl: '', key, model, other }
  return chooseChatApi(vertex, { dialect: 'openai-responses', target })?.url(target, { stream, settings })
}

describe('Vertex URLs', () => {
  it.each([
    [
      'gemini-2.5-pro',
      'europe-west1-aiplatform.googleapis.com/v1/projects/tide-1/locations/europe-west1/publishers/google/models/gemini-2.5-pro:generateContent',
    ],
    [
      'claude-sonnet-4@20250514',
      'europe-west1-aiplatform.googleapis.com/v1/projects/tide-1/locations/europe-west1/publishers/anthropic/models/claude-sonnet-4%4020250514:rawPredict',
    ],
    [
      'meta/llama3-405b-instruct-maas',
      'europe-west1-aiplatform.googleapis.com/v1beta1/projects/tide-1/locations/europe-west1/endpoints/openapi/chat/completions',
    ],
  ])('send %s to %s', (model, address) => {
    expect(urlOf(model)).toBe(`https://${address}`)
  })

  it('use another action for streams, and support the global region', () => {
    expect(urlOf('claude-3', { stream: true })).toMatch(/:streamRawPredict$/)
    expect(urlOf('gemini-2.5-pro', { stream: true, other: 'global' })).toBe(
      'https://aiplatform.googleapis.com/v1/projects/tide-1/locations/global/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    )
  })

  it("use the region of the operator's map or its default, and never an arbitrary host", () => {
    const map = '{"default": "us-east5", "gemini-2.5-pro": "europe-west4"}'

    expect(regionFor(map, 'gemini-2.5-pro')).toBe('europe-west4')
    expect(regionFor(map, 'claude-3')).toBe('us-east5')
    expect(regionFor(map, 'constructor')).toBe('us-east5')
    expect(regionFor('evil.example/x?', 'm')).toBe('us-central1')
    expect(regionFor('', 'm')).toBe('us-central1')
  })
})

describe('service account keys', () => {
  it('are exchanged for one token that requests share until it expires', async () => {
    const requests: string[] = []
    let time = Date.now()
    const signer = createRequestSigner(clientWith(requests), () => new Date(time))
    const sign = () =>
      vertex.sign!(
        { target: { baseUrl: '', key, model: 'm' }, url: 'https://x.example', method: 'POST', body: '' },
        signer,
      )

    const both = await Promise.all([sign(), sign()])
    time += 10 * 60 * 1000
    await sign()
    expect(both).toEqual([{ authorization: 'Bearer token-1' }, { authorization: 'Bearer token-1' }])
    expect(requests).toHaveLength(1)
    time += 30 * 60 * 1000

    expect(await sign()).toEqual({ authorization: 'Bearer token-2' })
    const assertion = new URLSearchParams(requests[0]).get('assertion')!
    const { payload } = await jwtVerify(assertion, await importSPKI(publicKey, 'RS256'))
    expect(payload).toMatchObject({
      iss: 'gate@tide-1.example',
      aud: 'https://tokens.example/token',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    })
  })

  it('are exchanged again after a failure', async () => {
    const requests: string[] = []
    const signer = createRequestSigner(clientWith(requests, [401, 200]))
    const sign = () =>
      vertex.sign!(
        { target: { baseUrl: '', key, model: 'm' }, url: 'https://x.example', method: 'POST', body: '' },
        signer,
      )

    await expect(sign()).rejects.toMatchObject({ status: 401 })
    expect(await sign()).toEqual({ authorization: 'Bearer token-2' })
  })
})

/** Returns numbered tokens. */
function clientWith(requests: string[], statuses: number[] = []) {
  return {
    open: ({ body }: { body?: unknown }) => {
      requests.push(String(body))
      const text = Buffer.from(JSON.stringify({ access_token: `token-${requests.length}`, expires_in: 3600 }))
      let sent = false
      return Promise.resolve({
        status: statuses[requests.length - 1] ?? 200,
        headers: {},
        bufferedBytes: 0,
        read: () => Promise.resolve(sent ? undefined : ((sent = true), text)),
        limitSilence() {},
        finish() {},
        abort() {},
      })
    },
  }
}
