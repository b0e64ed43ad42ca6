import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Id, OptionalInteger, OptionalText } from '../../values.ts'

/** Circuit breaker of one model of a channel, over all keys. */
export const ChannelCircuit = z.object({
  /** The best state of a key. `half_open`: one request may test the channel. */
  state: z.enum(['closed', 'open', 'half_open']),
  /** Keys whose circuit is open or half-open. */
  tripped_keys: z.int().nonnegative(),
})

const channel = {
  channel_id: Id,
  name: z.string(),
  type: z.int().nonnegative(),
  priority: z.int(),
  weight: z.int(),
  /** Billed requests of this model that the channel served in the last hour; null if there are too many to count. */
  requests_last_hour: z.int().nonnegative().nullable(),
  /** As seen by the process that returns the response; null if that process serves no requests. */
  circuit: ChannelCircuit.nullable(),
}

/** Why a channel does not serve a request. */
export const EXCLUSION_REASONS = [
  'circuit_open',
  'prompt_too_long',
  'no_price',
  /** The provider does not support such requests. */
  'cannot_serve',
  /** It has no key, or settings that cannot be parsed. */
  'misconfigured',
  'disabled',
  'auto_disabled',
  'other_group',
] as const

export const RouteTier = z.object({
  group: z.string(),
  /** Name that channels were looked up by: a target of a virtual model, or the model itself. */
  model: z.string(),
  /** Null for a model with a prefix: priorities are ignored. */
  priority: z.int().nullable(),
  /** Added to the weight of each channel before shares are computed. */
  weight_floor: z.number(),
  channels: z.array(
    z.object({
      ...channel,
      /** Name at the provider. */
      upstream_model: z.string(),
      /** Expected share of the requests that this tier serves, from 0 to 1. */
      share: z.number(),
    }),
  ),
})

export const RoutePlan = z.object({
  /** In the order of the attempts. Tiers without a usable channel are left out. */
  tiers: z.array(RouteTier),
  /** Channels that have the model and cannot serve the request. */
  excluded: z.array(
    z.object({
      ...channel,
      group: z.string(),
      model: z.string(),
      reason: z.enum(EXCLUSION_REASONS),
      /** For `prompt_too_long`: the limit of the channel in tokens. */
      max_input_tokens: z.int().optional(),
      /** For `circuit_open`: milliseconds until the channel is tried again. */
      retry_in_ms: z.int().optional(),
    }),
  ),
})
export type RoutePlan = z.output<typeof RoutePlan>

export const getRoutePlan = endpoint({
  method: 'GET',
  path: '/api/channel/route_plan',
  access: 'admin',
  summary:
    'Explains which channels serve a chat or embedding of `model` to `group`: tiers by priority with expected shares, and excluded channels with the reason. Sends no request.',
  query: z
    .object({ model: OptionalText, group: OptionalText, user_group: OptionalText, prompt_tokens: OptionalInteger })
    .partial()
    .transform(({ model = '', group = 'default', user_group = 'default', prompt_tokens = 0 }) => ({
      model,
      group,
      userGroup: user_group,
      promptTokens: Math.max(prompt_tokens, 0),
    })),
  reply: RoutePlan,
  errors: ['route_plan_off'],
})
