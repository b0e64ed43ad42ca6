import { asJsonObject, asText, type DialectId } from '@tidegate/dialects'
import { adaptClaude, CLOUD_BETAS, cloudBetas } from '../../anthropic-compatible.ts'
import { adaptGemini, classifyGemini } from '../../gemini-compatible.ts'
import { adaptChat } from '../../openai-compatible/adapt.ts'
import { defineProvider } from '../../provider.ts'
import type { Target } from '../../target.ts'
import { readAccount, signVertexRequest } from './service-account.ts'

const BETAS: ReadonlySet<string> = new Set([
  ...CLOUD_BETAS,
  'compact-2026-09-04',
  'interleaved-thinking-2025-05-14',
  'per-turn-control-2026-07-01',
  'web-search-2025-03-05',
])

/** The URL of a publisher's model in the operator's project. */
function modelUrl(target: Target, publisher: string, action: string): string {
  const { root, region } = locationOf(target)
  const { project } = readAccount(target.key)
  const path = `projects/${encodeURIComponent(project)}/locations/${region}/publishers/${publisher}/models`
  return `${root}/v1/${path}/${encodeURIComponent(target.model)}:${action}`
}

function locationOf({ baseUrl, other = '', model }: Target): { root: string; region: string } {
  const region = regionFor(other, model)
  const host = region === 'global' ? 'aiplatform.googleapis.com' : `${region}-aiplatform.googleapis.com`
  return { root: (baseUrl || `https://${host}`).replace(/\/+$/, ''), region }
}

/** The publisher of a model decides its protocol. */
function dialectOf({ model }: Pick<Target, 'model'>): DialectId {
  if (model.startsWith('claude')) return 'anthropic-messages'
  return /llama|\//.test(model) ? 'openai-chat' : 'gemini-generate'
}

/** Models of several publishers in Google's cloud. */
export const vertex = defineProvider({
  id: 'vertex',
  baseUrl: '',
  models: ['meta/llama3-405b-instruct-maas'],
  authorize: () => ({}),
  sign: signVertexRequest,
  chatApis: [
    {
      dialect: 'gemini-generate',
      url: (target, { stream }) =>
        modelUrl(target, 'google', stream ? 'streamGenerateContent?alt=sse' : 'generateContent'),
      inlinesMedia: true,
      adapt: adaptGemini,
    },
    {
      dialect: 'anthropic-messages',
      url: (target, { stream }) => modelUrl(target, 'anthropic', stream ? 'streamRawPredict' : 'rawPredict'),
      inlinesMedia: true,
      adapt(body, context) {
        const adapted = adaptClaude(body, context)
        const { betas, changes } = cloudBetas(context, body, BETAS)
        return {
          ...adapted,
          headers: { ...(betas.length > 0 && { 'anthropic-beta': betas.join() }), ...adapted.headers },
          changes: { ...adapted.changes, ...changes, anthropic_version: 'vertex-2023-10-16', model: undefined },
        }
      },
    },
    {
      dialect: 'openai-chat',
      url(target) {
        const { root, region } = locationOf(target)
        const project = encodeURIComponent(readAccount(target.key).project)
        return `${root}/v1beta1/projects/${project}/locations/${region}/endpoints/openapi/chat/completions`
      },
      streamUsage: 'ask',
      adapt: adaptChat,
    },
  ],
  prefers: dialectOf,
  classify: classifyGemini,
})

const DEFAULT_REGION = 'us-central1'
const REGION = /^[a-z0-9-]{1,40}$/

/** The region of a model: one for all models, or a JSON map with a `default`. It becomes part of a host name. */
export function regionFor(other: string, model: string): string {
  const text = other.trim()
  const region = text.startsWith('{') ? regionFromMap(text, model) : text
  return REGION.test(region) ? region : DEFAULT_REGION
}

function regionFromMap(text: string, model: string): string {
  try {
    const map = asJsonObject(JSON.parse(text))
    return asText(map && Object.hasOwn(map, model) ? map[model] : map?.default)
  } catch {
    return ''
  }
}
