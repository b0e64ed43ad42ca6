import { generateKeyPairSync } from 'node:crypto'
import { addChannel } from '@tidegate/testing'
import { sendRequest } from './support/send-request.ts'
import type { AttackSite } from './support/attack-site.ts'
import { brief, Findings } from './support/findings.ts'
import type { ReceivedRequest } from './support/fake-provider.ts'

/** Names that would change the path if they were put into a URL unescaped. */
const NAMES = [
  '../../admin',
  '..',
  '.',
  '%2e%2e',
  '..%2f..%2fadmin',
  '%2fadmin',
  'a/../../b',
  'a?admin=true',
  'a#fragment',
  'a&key=stolen',
  'a:generateContent?alt=x',
  'http://evil.example/',
  '//evil.example/x',
  '\\\\evil.example\\x',
  '@evil.example',
  'a;b=c',
  'a b',
  '模型/..',
]
/** Not a valid name: the request is not forwarded. */
const UNENCODABLE = ['a\r\nX-Forged: 1', 'a\nb', 'a\0b', '\ud800', 'a'.repeat(10_000)]

interface ProviderCase {
  readonly name: string
  readonly type: number
  readonly key: string
  readonly other?: string
  /** Paths that a request for any model may have. */
  readonly intended: readonly RegExp[]
  readonly basePath?: string
}

const SEGMENT = '[^/?#]+'

function providersAt(url: string): ProviderCase[] {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const account = {
    project_id: 'tide',
    client_email: 'a@b.example',
    private_key: privateKey,
    token_uri: `${url}/token`,
  }
  const vertex = String.raw`/v1/projects/tide/locations/europe-west1/publishers/(google|anthropic)/models/${SEGMENT}:\w+`
  return [
    {
      name: 'Azure',
      type: 3,
      key: 'azure-key',
      intended: [new RegExp(`^/openai/deployments/${SEGMENT}/chat/completions\\?api-version=[\\w-]+$`)],
    },
    {
      name: 'custom',
      type: 8,
      key: 'custom-key',
      basePath: '/fixed/{model}/chat',
      intended: [new RegExp(`^/fixed/${SEGMENT}/chat$`)],
    },
    {
      name: 'Gemini',
      type: 24,
      key: 'gemini-key',
      intended: [new RegExp(`^/v1beta/models/${SEGMENT}:generateContent$`)],
    },
    { name: 'Bedrock', type: 33, key: 'AK|SK|us-east-1', intended: [new RegExp(`^/model/${SEGMENT}/invoke$`)] },
    {
      name: 'Cloudflare',
      type: 39,
      key: 'cloudflare-key',
      other: 'account',
      intended: [/^\/client\/v4\/accounts\/account\/ai\/v1\/chat\/completions$/],
    },
    {
      name: 'Vertex',
      type: 41,
      key: JSON.stringify(account),
      other: 'europe-west1',
      intended: [
        /^\/token$/,
        new RegExp(`^${vertex}$`),
        /^\/v1beta1\/projects\/tide\/locations\/europe-west1\/endpoints\/openapi\/chat\/completions$/,
      ],
    },
  ]
}

/** Providers with the model name in the URL are called at the intended path, whatever the name is. */
export async function escapeModelPaths(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const { provider, admin } = site
  provider.respondWith(({ url }) => (url === '/token' ? { body: '{"access_token":"t","expires_in":3600}' } : undefined))
  await site.setOption('SelfUseModeEnabled', 'true') // prices do not matter here
  for (const { name, type, key, other, intended, basePath = '' } of providersAt(provider.url)) {
    const listed = [...NAMES, 'gpt-4-gizmo-*'].join(',')
    const overrides = {
      type,
      key,
      models: listed,
      base_url: provider.url + basePath,
      ...(other !== undefined && { other }),
    }
    const { id } = await addChannel(site.root.client, provider, overrides)
    let served = 0
    const models = [...NAMES, ...NAMES.map((bent) => `gpt-4-gizmo-${bent}`), ...UNENCODABLE]
    for (const model of models) {
      provider.result.length = 0
      const response = await sendRequest(site.url, {
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer ${admin.apiKey}-${id}` },
        body: { model, messages: [{ role: 'user', content: 'hi' }], max_tokens: 5 },
      })
      // The worker polls image tasks of other attacks on this site.
      const received = provider.result.filter(({ url }) => url !== '/mj/task/list-by-condition')
      served += received.length
      const astray = received.filter((request) => !isMeant(request, intended))
      findings.check(
        astray.length === 0,
        () => `${name} received ${astray.map(({ url }) => brief(url)).join(', ')} for ${JSON.stringify(brief(model))}`,
      )
      findings.check(response.status !== 500, () => `${name}, ${JSON.stringify(brief(model))}: ${brief(response.text)}`)
      if (UNENCODABLE.includes(model)) {
        findings.check(received.length === 0, () => `${name} received a request for ${JSON.stringify(brief(model))}`)
      }
    }
    findings.check(served > 0, () => `${name} never received a request`)
  }
  provider.respondWith(undefined)
  return findings
}

function isMeant({ url, headers }: ReceivedRequest, intended: readonly RegExp[]): boolean {
  const dots = url.split(/[/?]/).some((segment) => /^(\.|%2e){1,2}$/i.test(segment))
  return !dots && headers['x-forged'] === undefined && intended.some((shape) => shape.test(url))
}
