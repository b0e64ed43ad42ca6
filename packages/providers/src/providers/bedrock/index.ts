import { adaptClaude, classifyAnthropic, CLAUDE_MODELS } from '../../anthropic-compatible.ts'
import { defineProvider } from '../../provider.ts'
import type { Target } from '../../target.ts'
import type { FailureClass, UpstreamFailure } from '../../upstream/failure.ts'
import { unpackEvents } from './read-events.ts'
import { readKey, signBedrockRequest } from './sign.ts'

function invokeUrl({ baseUrl, key, model }: Target, stream: boolean): string {
  const { region } = readKey(key)
  const home = baseUrl || `https://bedrock-runtime.${region}.amazonaws.com`
  const action = stream ? 'invoke-with-response-stream' : 'invoke'
  return `${home.replace(/\/+$/, '')}/model/${encodeURIComponent(bedrockModelName(model, region))}/${action}`
}

/** Claude in Amazon's cloud: Anthropic's format, signed, with the model in the path. */
export const bedrock = defineProvider({
  id: 'bedrock',
  baseUrl: '',
  models: CLAUDE_MODELS,
  authorize: () => ({}),
  sign: signBedrockRequest,
  chatApis: [
    {
      dialect: 'anthropic-messages',
      url: (target, { stream }) => invokeUrl(target, stream),
      inlinesMedia: true,
      unpack: unpackEvents,
      adapt(body, context) {
        const adapted = adaptClaude(body, context)
        return {
          ...adapted,
          changes: {
            ...adapted.changes,
            anthropic_version: 'bedrock-2023-05-31',
            model: undefined,
            stream: undefined,
          },
        }
      },
    },
  ],
  classify: classifyBedrock,
})

/** Bedrock's model names, and the areas with cross-region inference profiles. */
const MODEL_NAMES: Readonly<Record<string, { readonly name: string; readonly crossRegion?: readonly Area[] }>> = {
  'claude-instant-1.2': { name: 'anthropic.claude-instant-v1' },
  'claude-2.0': { name: 'anthropic.claude-v2' },
  'claude-2.1': { name: 'anthropic.claude-v2:1' },
  'claude-3-sonnet-20240229': { name: 'anthropic.claude-3-sonnet-20240229-v1:0', crossRegion: ['us', 'eu', 'apac'] },
  'claude-3-opus-20240229': { name: 'anthropic.claude-3-opus-20240229-v1:0', crossRegion: ['us'] },
  'claude-3-haiku-20240307': { name: 'anthropic.claude-3-haiku-20240307-v1:0', crossRegion: ['us', 'eu', 'apac'] },
  'claude-3-5-sonnet-20240620': {
    name: 'anthropic.claude-3-5-sonnet-20240620-v1:0',
    crossRegion: ['us', 'eu', 'apac'],
  },
  'claude-3-5-sonnet-20241022': { name: 'anthropic.claude-3-5-sonnet-20241022-v2:0', crossRegion: ['us', 'apac'] },
  'claude-3-5-haiku-20241022': { name: 'anthropic.claude-3-5-haiku-20241022-v1:0', crossRegion: ['us'] },
  'claude-3-7-sonnet-20250219': {
    name: 'anthropic.claude-3-7-sonnet-20250219-v1:0',
    crossRegion: ['us', 'eu', 'apac'],
  },
  'claude-sonnet-4-20250514': { name: 'anthropic.claude-sonnet-4-20250514-v1:0', crossRegion: ['us', 'eu', 'apac'] },
  'claude-opus-4-20250514': { name: 'anthropic.claude-opus-4-20250514-v1:0', crossRegion: ['us'] },
}

type Area = 'us' | 'eu' | 'apac'

const AREAS: Readonly<Record<string, Area>> = { us: 'us', eu: 'eu', ap: 'apac' }

/** An unknown name is used as it is. */
export function bedrockModelName(model: string, region: string): string {
  const known = Object.hasOwn(MODEL_NAMES, model) ? MODEL_NAMES[model] : undefined
  if (!known) return model
  const area = AREAS[region.split('-')[0] ?? '']
  return area && known.crossRegion?.includes(area) ? `${area}.${known.name}` : known.name
}

/** Exceptions that end a stream. */
const BY_TYPE: Readonly<Record<string, FailureClass>> = {
  throttlingException: 'rate',
  validationException: 'client',
}

/** Classifies failures. Amazon returns 403 for unknown keys and for models that the account may not use. */
export function classifyBedrock(failure: UpstreamFailure): FailureClass {
  const { kind, status, error } = failure
  if (kind === 'status' && status === 403) return 'auth'
  // The model failed, whatever the request was.
  if (kind === 'status' && status === 424) return 'server'
  const named = kind === 'answer' && typeof error.type === 'string' ? BY_TYPE[error.type] : undefined
  return named ?? classifyAnthropic(failure)
}
