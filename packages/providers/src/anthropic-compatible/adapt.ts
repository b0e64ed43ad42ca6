import {
  anthropicThinking,
  anthropicWithMaxTokens,
  asJsonObject,
  type BodyChanges,
  type JsonObject,
} from '@tidegate/dialects'
import type { AdaptContext, Adapted } from '../provider.ts'
import { adaptiveChanges, thinksAdaptively } from './adaptive-thinking.ts'

const SUFFIX = '-thinking'

/** A name that asks for thinking, the limit this vendor insists on, and headers the operator set for a model. */
export function adaptClaude(body: JsonObject, { model, requestedModel, settings, passedOn }: AdaptContext): Adapted {
  const suffixed = settings['claude.thinking_adapter_enabled'] && model.endsWith(SUFFIX)
  const name = suffixed ? model.slice(0, -SUFFIX.length) : model
  const limits = settings['claude.default_max_tokens']
  const defaultMaxTokens = limits[name] ?? limits[model] ?? limits.default ?? 8192
  const changes: BodyChanges =
    suffixed && asJsonObject(body.thinking) === undefined
      ? anthropicThinking(body, {
          budgetShare: settings['claude.thinking_adapter_budget_tokens_percentage'],
          defaultMaxTokens,
        })
      : anthropicWithMaxTokens(body, defaultMaxTokens)
  // What a client of this vendor wrote for such a model is its own affair.
  if (thinksAdaptively(name) && (suffixed || !passedOn))
    Object.assign(changes, adaptiveChanges({ ...body, ...changes }))
  return { model: name, changes, headers: headersFor(settings['claude.model_headers_settings'][requestedModel]) }
}

function headersFor(configured: Readonly<Record<string, readonly string[]>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(configured).map(([name, values]) => [name.toLowerCase(), values.join(',')]))
}
