import { adaptChat } from '../openai-compatible/adapt.ts'
import { classifyOpenai } from '../openai-compatible/classify.ts'
import { OPENAI_MODELS } from '../openai-compatible/models.ts'
import type { OperationId, Operations } from '../operation.ts'
import { defineProvider } from '../provider.ts'
import type { Target } from '../target.ts'

const DEFAULT_API_VERSION = '2024-12-01-preview'

/** A model is one of the operator's deployments, and its name is in the path. */
function deploymentUrl({ baseUrl, model, other }: Target, call: string): string {
  const query = new URLSearchParams({ 'api-version': other || DEFAULT_API_VERSION })
  return `${baseUrl.replace(/\/+$/, '')}/openai/deployments/${encodeURIComponent(model)}/${call}?${query.toString()}`
}

const OPERATION_PATHS: Readonly<Partial<Record<OperationId, string>>> = {
  embeddings: 'embeddings',
  'image-generation': 'images/generations',
  'image-edit': 'images/edits',
  speech: 'audio/speech',
  transcription: 'audio/transcriptions',
  translation: 'audio/translations',
}

const operations: Operations = Object.fromEntries(
  Object.entries(OPERATION_PATHS).map(([id, call]) => [id, { url: (target: Target) => deploymentUrl(target, call) }]),
)

/** OpenAI models in Microsoft's cloud. */
export const azure = defineProvider({
  id: 'azure',
  baseUrl: '',
  models: OPENAI_MODELS,
  authorize: ({ key }) => ({ 'api-key': key }),
  chatApis: [
    {
      dialect: 'openai-chat',
      url: (target) => deploymentUrl(target, 'chat/completions'),
      streamUsage: 'ask',
      adapt: adaptChat,
    },
    {
      dialect: 'openai-completions',
      url: (target) => deploymentUrl(target, 'completions'),
      streamUsage: 'ask',
    },
  ],
  operations: {
    ...operations,
    realtime: {
      url({ baseUrl, model, other }) {
        const query = new URLSearchParams({ 'api-version': other || DEFAULT_API_VERSION, deployment: model })
        return `${baseUrl.replace(/\/+$/, '')}/openai/realtime?${query.toString()}`
      },
    },
  },
  classify: classifyOpenai,
})
