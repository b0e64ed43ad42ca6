import { maxOutputOf } from '@tidegate/contract'
import {
  asJsonObject,
  geminiImagine,
  geminiSafety,
  geminiThinking,
  interactionSafety,
  type JsonObject,
} from '@tidegate/dialects'
import type { AdaptContext, RequestAdaptation } from './provider.ts'
import type { FailureClass, UpstreamFailure } from './upstream/failure.ts'

/** Handles thinking budgets in model names, the operator's safety settings, and models that also generate images. */
export function adaptGemini(body: JsonObject, { model, settings }: AdaptContext): RequestAdaptation {
  const thinking = geminiThinking(body, model, {
    enabled: settings['gemini.thinking_adapter_enabled'],
    share: settings['gemini.thinking_adapter_budget_tokens_percentage'],
    supported: settings['gemini.models_supported_thinking_budget'],
    maxOutputOf,
  })
  const withThinking = { ...body, ...thinking.changes }
  return {
    model: thinking.model,
    changes: {
      ...thinking.changes,
      ...geminiSafety(body, settings['gemini.safety_settings']),
      ...geminiImagine(withThinking, thinking.model, settings['gemini.supported_imagine_models']),
    },
  }
}

/** Handles the suffixes of model names and the operator's safety settings in the Interactions API. */
export function adaptInteraction(body: JsonObject, { model, settings }: AdaptContext): RequestAdaptation {
  const config = asJsonObject(body.generation_config) ?? {}
  const [suffix] = THINKING_SUFFIX.exec(model) ?? []
  const base = suffix === undefined ? model : model.slice(0, -suffix.length)
  // The suffix of an unlisted name is part of the name.
  const isKnown =
    suffix !== undefined &&
    settings['gemini.thinking_adapter_enabled'] &&
    settings['gemini.models_supported_thinking_budget'].includes(base)
  const level = suffix === '-nothinking' ? 'minimal' : 'high'
  const addsLevel = isKnown && config.thinking_level === undefined
  return {
    model: isKnown ? base : model,
    changes: {
      ...(addsLevel && { generation_config: { ...config, thinking_level: level } }),
      ...interactionSafety(body, settings['gemini.safety_settings']),
    },
  }
}

const THINKING_SUFFIX = /-(?:thinking(?:-\d+)?|nothinking)$/

/** Classifies failures by Google's statuses. An invalid key is reported with a 400. */
export function classifyGemini({ kind, status, error }: UpstreamFailure): FailureClass {
  if (kind === 'aborted') return 'client'
  if (kind !== 'status' && kind !== 'answer') return 'server'
  if (status === 401 || status === 403 || /API key (not valid|expired|not found)/i.test(error.message)) return 'auth'
  if (status === 402) return 'credit'
  if (status === 429) return 'rate'
  return status >= 400 && status < 500 && status !== 408 ? 'client' : 'server'
}

/** Suggested when a channel is created; an operator may enter any other name. */
export const GEMINI_MODELS: readonly string[] = [
  'gemini-1.5-pro',
  'gemini-1.5-flash',
  'gemini-1.5-flash-8b',
  'gemini-1.5-pro-latest',
  'gemini-1.5-flash-latest',
  'gemini-2.0-flash',
  'gemini-2.0-flash-exp',
  'gemini-2.0-flash-lite-preview',
  'gemini-2.0-pro-exp',
  'gemini-2.0-flash-thinking-exp',
  'gemini-exp-1206',
  'gemini-2.5-pro-exp-03-25',
  'gemini-2.5-pro-preview-03-25',
  'imagen-3.0-generate-002',
  'gemini-embedding-exp-03-07',
  'text-embedding-004',
  'embedding-001',
]
