import { maxOutputOf } from '@tidegate/contract'
import { geminiImagine, geminiSafety, geminiThinking, type JsonObject } from '@tidegate/dialects'
import type { AdaptContext, Adapted } from '../provider.ts'

/** Names that ask for a thinking budget, the operator's safety settings, and models that also draw. */
export function adaptGemini(body: JsonObject, { model, settings }: AdaptContext): Adapted {
  const thinking = geminiThinking(body, model, {
    enabled: settings['gemini.thinking_adapter_enabled'],
    share: settings['gemini.thinking_adapter_budget_tokens_percentage'],
    supported: settings['gemini.models_supported_thinking_budget'],
    maxOutputOf,
  })
  const thoughtful = { ...body, ...thinking.changes }
  return {
    model: thinking.model,
    changes: {
      ...thinking.changes,
      ...geminiSafety(body, settings['gemini.safety_settings']),
      ...geminiImagine(thoughtful, thinking.model, settings['gemini.supported_imagine_models']),
    },
  }
}
