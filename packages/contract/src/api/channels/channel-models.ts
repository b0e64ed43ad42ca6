import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'

export const listChannelModels = endpoint({
  method: 'GET',
  path: '/api/models',
  access: 'user',
  summary: 'Lists suggested models by channel type.',
  reply: z.record(z.string(), z.array(z.string())),
  errors: [],
})

export const listKnownModels = endpoint({
  method: 'GET',
  path: '/api/channel/models',
  access: 'admin',
  summary: 'Lists all suggested models of all channel types.',
  reply: z.array(z.object({ id: z.string(), object: z.literal('model'), owned_by: z.string() })),
  errors: [],
})

export const listEnabledModels = endpoint({
  method: 'GET',
  path: '/api/channel/models_enabled',
  access: 'admin',
  summary: 'Lists models that at least one enabled channel serves.',
  reply: z.array(z.string()),
  errors: [],
})

export const listUnpricedModels = endpoint({
  method: 'GET',
  path: '/api/channel/models_unpriced',
  access: 'admin',
  summary: 'Lists models of enabled channels that have no price. Requests for them are rejected.',
  reply: z.array(z.string()),
  errors: [],
})

const MAX_MODELS = 10_000

export const findUnpricedModels = endpoint({
  method: 'POST',
  path: '/api/channel/models_unpriced',
  access: 'admin',
  summary: 'Returns which of the given models have no price with this model mapping and prefix.',
  body: z.object({
    models: z.array(z.string()).max(MAX_MODELS),
    /** JSON text, as in a channel. Invalid JSON maps nothing. */
    model_mapping: z.string().nullish(),
    model_prefix: z.string().nullish(),
  }),
  reply: z.array(z.string()),
  errors: [],
})

const UPSTREAM_ERRORS = ['upstream_calls_off', 'model_list_unsupported'] as const

export const fetchChannelModels = endpoint({
  method: 'GET',
  path: '/api/channel/fetch_models/{id}',
  access: 'admin',
  summary: 'Fetches the models that the provider of a channel offers to its first key.',
  reply: z.array(z.string()),
  errors: ['channel_not_found', 'channel_key_unreadable', 'fetch_models_failed', 'demo_site', ...UPSTREAM_ERRORS],
})

export const fetchUpstreamModels = endpoint({
  method: 'POST',
  path: '/api/channel/fetch_models',
  access: 'admin',
  summary:
    'Fetches the models of a channel that is not saved yet, with the first line of `key`. Provider errors return HTTP 500.',
  body: z.object({
    type: z.int().nonnegative().default(1),
    base_url: z.string().nullish(),
    key: z.string().default(''),
    /** JSON text, as in a channel; its proxy is used. */
    setting: z.string().nullish(),
    header_override: z.string().nullish(),
  }),
  reply: z.array(z.string()),
  errors: [
    'channel_key_required',
    'channel_base_url_required',
    'channel_base_url_invalid',
    'channel_json_invalid',
    'channel_setting_invalid',
    'channel_proxy_invalid',
    'channel_header_override_invalid',
    'fetch_models_upstream_failed',
    ...UPSTREAM_ERRORS,
  ],
})
