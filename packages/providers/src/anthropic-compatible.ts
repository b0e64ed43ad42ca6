import { parameterRules } from '@tidegate/contract'
import {
  anthropicThinking,
  anthropicWithMaxTokens,
  asJsonObject,
  type BodyChanges,
  type JsonObject,
} from '@tidegate/dialects'
import type { AdaptContext, RequestAdaptation } from './provider.ts'
import type { FailureClass, UpstreamFailure } from './upstream/failure.ts'

const THINKING_SUFFIX = '-thinking'

/** Handles the `-thinking` suffix, the required `max_tokens`, and headers that the operator set for a model. */
export function adaptClaude(
  body: JsonObject,
  { model, requestedModel, settings, isPassThrough }: AdaptContext,
): RequestAdaptation {
  const suffixed = settings['claude.thinking_adapter_enabled'] && model.endsWith(THINKING_SUFFIX)
  const name = suffixed ? model.slice(0, -THINKING_SUFFIX.length) : model
  const limits = settings['claude.default_max_tokens']
  const defaultMaxTokens = limits[name] ?? limits[model] ?? limits.default ?? 8192
  const changes: BodyChanges =
    suffixed && asJsonObject(body.thinking) === undefined
      ? anthropicThinking(body, {
          budgetShare: settings['claude.thinking_adapter_budget_tokens_percentage'],
          defaultMaxTokens,
        })
      : anthropicWithMaxTokens(body, defaultMaxTokens)
  // A native Anthropic client decides itself what it sends to such a model.
  if (parameterRules(name).thinking === 'adaptive' && (suffixed || !isPassThrough))
    Object.assign(changes, adaptiveThinkingChanges({ ...body, ...changes }))
  return { model: name, changes, headers: headersFor(settings['claude.model_headers_settings'][requestedModel]) }
}

function headersFor(configured: Readonly<Record<string, readonly string[]>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(configured).map(([name, values]) => [name.toLowerCase(), values.join(',')]))
}

/** Replaces a thinking budget by an effort, and removes parameters that these models reject. */
function adaptiveThinkingChanges(body: JsonObject): BodyChanges {
  const changes: BodyChanges = {}
  for (const parameter of ['temperature', 'top_p', 'top_k'])
    if (body[parameter] !== undefined) changes[parameter] = undefined
  const thinking = asJsonObject(body.thinking)
  if (thinking?.type !== 'enabled') return changes
  const effort = effortOf(Number(thinking.budget_tokens) / Number(body.max_tokens))
  return {
    ...changes,
    thinking: { type: 'adaptive' },
    output_config: { ...asJsonObject(body.output_config), effort },
  }
}

/** Thresholds halfway between the budget shares that stand for an effort elsewhere: 0.2, 0.5 and 0.8. */
function effortOf(share: number): string {
  if (share < 0.35) return 'low'
  return share < 0.65 ? 'medium' : 'high'
}

/** Beta features with the same name in every cloud. A cloud rejects requests with a name that it does not know. */
export const CLOUD_BETAS: readonly string[] = [
  'compact-2026-01-12',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'tool-search-tool-2025-10-19',
]

/** Beta features that have another name in clouds. */
const CLOUD_NAMES: Readonly<Record<string, string>> = {
  'advanced-tool-use-2025-11-20': 'tool-search-tool-2025-10-19',
}

/** The requested beta features that a cloud accepts, and the changes for those that it does not. */
export function cloudBetas(
  { betas = [] }: Pick<AdaptContext, 'betas'>,
  body: JsonObject,
  accepted: ReadonlySet<string>,
): { readonly betas: string[]; readonly changes: BodyChanges } {
  const named = betas.map((beta) => CLOUD_NAMES[beta] ?? beta).filter((beta) => accepted.has(beta))
  const managesContext = named.some((beta) => /^(context-management|compact)-/.test(beta))
  return {
    betas: [...new Set(named)],
    changes: body.context_management === undefined || managesContext ? {} : { context_management: undefined },
  }
}

const BY_TYPE: Readonly<Record<string, FailureClass>> = {
  authentication_error: 'auth',
  permission_error: 'auth',
  billing_error: 'credit',
  rate_limit_error: 'rate',
  overloaded_error: 'server',
  api_error: 'server',
  timeout_error: 'server',
}

/** Classifies failures by Anthropic's error types. An account without credit is only recognizable by the message. */
export function classifyAnthropic({ kind, status, error }: UpstreamFailure): FailureClass {
  if (kind === 'aborted') return 'client'
  if (kind !== 'status' && kind !== 'answer') return 'server'
  if (/credit balance is too low/i.test(error.message)) return 'credit'
  const named = typeof error.type === 'string' ? BY_TYPE[error.type] : undefined
  if (named) return named
  if (status === 401) return 'auth'
  if (status === 429) return 'rate'
  return status >= 400 && status < 500 && status !== 408 ? 'client' : 'server'
}

/** Suggested when a channel is created; an operator may enter any other name. */
export const CLAUDE_MODELS: readonly string[] = [
  'claude-instant-1.2',
  'claude-2',
  'claude-2.0',
  'claude-2.1',
  'claude-3-sonnet-20240229',
  'claude-3-opus-20240229',
  'claude-3-haiku-20240307',
  'claude-3-5-haiku-20241022',
  'claude-3-5-sonnet-20240620',
  'claude-3-5-sonnet-20241022',
  'claude-3-7-sonnet-20250219',
  'claude-3-7-sonnet-20250219-thinking',
  'claude-sonnet-4-20250514',
  'claude-sonnet-4-20250514-thinking',
  'claude-opus-4-20250514',
  'claude-opus-4-20250514-thinking',
]
