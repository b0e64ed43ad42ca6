import { z } from 'zod'
import { flag, number } from '../define.ts'
import { json, namedMap, namedMapSchema, type NamedMap } from '../define-json.ts'

const claude = { tab: 'models', section: 'claude' } as const

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,128}$/
/** A line break in a header value would start a header of its own. */
const headerValue = z
  .string()
  .max(1024)
  .regex(/^[\t\x20-\x7e]*$/)

const headersByModel = namedMapSchema(namedMapSchema(z.array(headerValue), HEADER_NAME))

export const claudeOptions = {
  'claude.model_headers_settings': json<NamedMap<NamedMap<string[]>>>(claude, headersByModel, namedMap({})),
  /** By model; `default` is for those not named. */
  'claude.default_max_tokens': json(claude, namedMapSchema(z.int().positive()), namedMap({ default: 8192 })),
  'claude.thinking_adapter_enabled': flag(claude, true),
  'claude.thinking_adapter_budget_tokens_percentage': number(claude, 0.8, { min: 0.1, max: 1 }),
}
