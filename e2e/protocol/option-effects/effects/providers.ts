import { list, pick } from '../../routing/protocols.ts'
import { sentFor } from '../send-chat.ts'
import type { Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'
import { CLAUDE, GEMINI, modelOf, OTHER_GEMINI } from '../channels.ts'

const json = JSON.stringify
const thinking = { 'gemini.thinking_adapter_enabled': 'true' }

/** A value in the body that the provider gets. */
function inBody(model: string, ...path: (string | number)[]) {
  return async (site: EffectSite) => {
    const [request] = await sentFor(site, { model, body: model.startsWith('gemini') ? { max_tokens: 1_000 } : {} })
    return pick(request?.body, ...path)
  }
}

/** The model name that the provider gets. */
function upstreamPathOf(model: string) {
  return async (site: EffectSite) => {
    const [request] = await sentFor(site, { model })
    return request && modelOf(request)
  }
}

const BUDGET = ['generationConfig', 'thinkingConfig', 'thinkingBudget'] as const

export const providerEffects = {
  'gemini.safety_settings': {
    value: json({ default: 'BLOCK_ONLY_HIGH' }),
    async probe(site) {
      const settings = list(await inBody(OTHER_GEMINI, 'safetySettings')(site))
      return settings.map((setting) => pick(setting, 'threshold'))
    },
    before: ['BLOCK_NONE', 'BLOCK_NONE', 'BLOCK_NONE', 'BLOCK_NONE', 'OFF'],
    after: Array.from({ length: 5 }, () => 'BLOCK_ONLY_HIGH'),
  },
  'gemini.version_settings': {
    value: json({ default: 'v1beta', [OTHER_GEMINI]: 'v1alpha' }),
    probe: async (site) => (await sentFor(site, { model: OTHER_GEMINI }))[0]?.path,
    before: `/v1beta/models/${OTHER_GEMINI}:generateContent`,
    after: `/v1alpha/models/${OTHER_GEMINI}:generateContent`,
  },
  'gemini.supported_imagine_models': {
    value: json([OTHER_GEMINI]),
    probe: inBody(OTHER_GEMINI, 'generationConfig', 'responseModalities'),
    before: undefined,
    after: ['TEXT', 'IMAGE'],
  },
  'gemini.thinking_adapter_enabled': {
    value: 'true',
    probe: upstreamPathOf(`${GEMINI}-thinking`),
    before: `${GEMINI}-thinking`,
    after: GEMINI,
  },
  'gemini.thinking_adapter_budget_tokens_percentage': {
    given: thinking,
    value: '0.5',
    probe: inBody(`${GEMINI}-thinking`, ...BUDGET),
    before: 600,
    after: 500,
  },
  'gemini.models_supported_thinking_budget': {
    given: thinking,
    value: json([OTHER_GEMINI]),
    probe: upstreamPathOf(`${OTHER_GEMINI}-thinking`),
    before: `${OTHER_GEMINI}-thinking`,
    after: OTHER_GEMINI,
  },

  'claude.model_headers_settings': {
    value: json({ [CLAUDE]: { 'anthropic-beta': ['tides-2026', 'currents'] } }),
    probe: async (site) => (await sentFor(site, { model: CLAUDE }))[0]?.headers['anthropic-beta'],
    before: undefined,
    after: 'tides-2026,currents',
  },
  'claude.default_max_tokens': {
    value: json({ default: 5_000 }),
    probe: inBody(CLAUDE, 'max_tokens'),
    before: 8_192,
    after: 5_000,
  },
  'claude.thinking_adapter_enabled': {
    value: 'false',
    probe: upstreamPathOf(`${CLAUDE}-thinking`),
    before: CLAUDE,
    after: `${CLAUDE}-thinking`,
  },
  'claude.thinking_adapter_budget_tokens_percentage': {
    value: '0.5',
    probe: inBody(`${CLAUDE}-thinking`, 'thinking', 'budget_tokens'),
    before: 6_553,
    after: 4_096,
  },
} satisfies Rows
