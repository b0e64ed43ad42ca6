import { anthropicMessages } from './anthropic-messages/protocol.ts'
import { geminiGenerate } from './gemini-generate/protocol.ts'
import { openaiChat } from './openai-chat/protocol.ts'
import type { ReceivedRequest, WireForm } from './types.ts'

/** A vendor's list of models, in the form the caller's headers or path ask for. */
export interface ModelList {
  form: WireForm
  body: unknown
}

export function listModels(request: ReceivedRequest, models: readonly string[]): ModelList | undefined {
  const { method, path, headers } = request
  if (method !== 'GET') return undefined
  if (path === '/v1beta/models') return { form: geminiGenerate, body: geminiList(models) }
  if (path !== '/v1/models') return undefined
  if (headers['anthropic-version'] !== undefined) return { form: anthropicMessages, body: anthropicList(models) }
  return { form: openaiChat, body: openaiList(models) }
}

function openaiList(models: readonly string[]) {
  return { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'fake' })) }
}

function anthropicList(models: readonly string[]) {
  const data = models.map((id) => ({ type: 'model', id, display_name: id, created_at: '2025-01-01T00:00:00Z' }))
  return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null }
}

function geminiList(models: readonly string[]) {
  return {
    models: models.map((id) => ({
      name: `models/${id}`,
      version: '001',
      displayName: id,
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    })),
  }
}
