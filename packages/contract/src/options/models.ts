import { z } from 'zod'
import { commaList, flag, integer, json, line, namedMap, type NamedMap, namedMapSchema, number } from './definitions.ts'
import { GROUP_NAME } from './operation.ts'

const relay = { tab: 'models', section: 'global' } as const
const exemptions = { tab: 'models', section: 'exemptions' } as const
const retry = { tab: 'models', section: 'retry' } as const
const ping = { tab: 'models', section: 'ping' } as const

/** A status where `x` stands for any digit. */
const STATUS_PATTERN = /^[1-5x][\dx]{2}$/

/** Options of all providers. */
export const relayOptions = {
  'global.pass_through_request_enabled': flag(relay, false),
  'global.hide_upstream_error_enabled': flag(relay, false),
  'global.block_browser_extension_enabled': flag(relay, false),

  'global.rate_limit_exempt_enabled': flag(exemptions, false),
  'global.rate_limit_exempt_group': line(exemptions, 'bulk-ok', { pattern: orBlank(GROUP_NAME) }),
  'global.safe_check_exempt_enabled': flag(exemptions, false),
  'global.safe_check_exempt_group': line(exemptions, 'nsfw-ok', { pattern: orBlank(GROUP_NAME) }),

  'global.auto_retry_enabled': flag(retry, false),
  'global.auto_retry_count': integer(retry, 3, { min: 1, max: 10 }),
  'global.auto_retry_force_channel_switch': flag(retry, false),
  /** Empty means every status. */
  'global.auto_retry_status_codes': commaList(retry, ['5xx', '4xx'], { pattern: STATUS_PATTERN, lowerCase: true }),

  'general_setting.ping_interval_enabled': flag(ping, false),
  'general_setting.ping_interval_seconds': integer(ping, 60, { min: 1 }),
}

function orBlank({ source, flags }: RegExp): RegExp {
  return new RegExp(`^$|${source}`, flags)
}

const gemini = { tab: 'models', section: 'gemini' } as const

const modelNames = z.array(z.string().trim().min(1).max(256)).max(1000)

export const geminiOptions = {
  /** By harm category; `default` applies to others. */
  'gemini.safety_settings': json(
    gemini,
    namedMapSchema(z.string().regex(/^[A-Z][A-Z_]*$/)),
    namedMap({
      default: 'OFF',
      HARM_CATEGORY_HARASSMENT: 'BLOCK_NONE',
      HARM_CATEGORY_HATE_SPEECH: 'BLOCK_NONE',
      HARM_CATEGORY_SEXUALLY_EXPLICIT: 'BLOCK_NONE',
      HARM_CATEGORY_DANGEROUS_CONTENT: 'BLOCK_NONE',
    }),
  ),
  /** By model; part of the request path. */
  'gemini.version_settings': json(
    gemini,
    namedMapSchema(z.string().regex(/^v\d+[a-z\d]*$/)),
    namedMap({ default: 'v1beta', 'gemini-1.0-pro': 'v1beta' }),
  ),
  'gemini.supported_imagine_models': json<readonly string[]>(gemini, modelNames, [
    'gemini-2.0-flash-exp-image-generation',
    'gemini-2.0-flash-exp',
  ]),
  'gemini.thinking_adapter_enabled': flag(gemini, false),
  'gemini.thinking_adapter_budget_tokens_percentage': number(gemini, 0.6, { min: 0.002, max: 1 }),
  'gemini.models_supported_thinking_budget': json<readonly string[]>(gemini, modelNames, [
    'gemini-2.5-flash-preview-05-20',
    'gemini-2.5-flash-preview-04-17',
    'gemini-2.5-pro-preview-06-05',
    'gemini-2.5-pro',
  ]),
}

const claude = { tab: 'models', section: 'claude' } as const

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,128}$/
/** No line breaks: they would start another header. */
const headerValue = z
  .string()
  .max(1024)
  .regex(/^[\t\x20-\x7e]*$/)

const headersByModel = namedMapSchema(namedMapSchema(z.array(headerValue), HEADER_NAME))

export const claudeOptions = {
  'claude.model_headers_settings': json<NamedMap<NamedMap<string[]>>>(claude, headersByModel, namedMap({})),
  /** By model; `default` applies to others. */
  'claude.default_max_tokens': json(claude, namedMapSchema(z.int().positive()), namedMap({ default: 8192 })),
  'claude.thinking_adapter_enabled': flag(claude, true),
  'claude.thinking_adapter_budget_tokens_percentage': number(claude, 0.8, { min: 0.1, max: 1 }),
}

const mapping = { tab: 'models', section: 'mapping' } as const

/** A target of a virtual model; the highest priority wins, equal priorities alternate. */
export interface MappingTarget {
  model: string
  priorities: number
}

export interface ModelMapping {
  mapping: NamedMap<MappingTarget[]>
}

const target = z.object({ model: z.string().trim().min(1).max(256), priorities: z.int().nonnegative().default(0) })

const targets = z
  .array(target)
  .min(1)
  .refine((list) => new Set(list.map(({ model }) => model)).size === list.length, {
    message: 'a model is listed twice',
    params: { zh: '实际模型名重复' },
  })

/** Also the body of the virtual model endpoints. */
export const ModelMapping = z.object({
  mapping: namedMapSchema(targets)
    .refine((map) => Object.values(map).every((list) => list.every(({ model }) => !Object.hasOwn(map, model))), {
      message: 'a target is itself a virtual name',
      params: { zh: '目标模型本身是虚拟模型名' },
    })
    .default(namedMap({})),
})

export const mappingOptions = {
  global_model_mapping: json<ModelMapping>(mapping, ModelMapping, { mapping: namedMap({}) }),
}
