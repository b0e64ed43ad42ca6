import { z } from 'zod'
import { flag, number } from '../define.ts'
import { json, namedMap, namedMapSchema } from '../define-json.ts'

const gemini = { tab: 'models', section: 'gemini' } as const

const modelNames = z.array(z.string().trim().min(1).max(256)).max(1000)

export const geminiOptions = {
  /** By harm category; `default` is for those not named. */
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
  /** By model; it becomes a part of the path. */
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
