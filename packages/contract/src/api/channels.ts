import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { pageFields, readPage } from '../paging.ts'
import { Flag, Id, Quota, UnixSeconds } from '../values.ts'

export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

const channelFields = {
  type: z.int().nonnegative(),
  name: z.string(),
  base_url: z.string(),
  /** Comma separated, as the wire has it. */
  models: z.string(),
  group: z.string(),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  priority: z.int().min(-999),
  weight: z.int().nonnegative(),
  auto_ban: z.union([z.literal(0), z.literal(1)]),
  test_model: z.string(),
  tag: z.string(),
  model_prefix: z.string(),
  setting: z.string(),
  param_override: z.string(),
  system_prompt: z.string(),
  max_input_tokens: z.int().nonnegative(),
  openai_organization: z.string(),
  other: z.string(),
}

/** A channel as lists show it: everything but the key. */
export const Channel = z.object({
  id: Id,
  ...channelFields,
  status: z.int(),
  created_time: UnixSeconds,
  test_time: UnixSeconds,
  response_time: z.int(),
  balance: z.number(),
  balance_updated_time: UnixSeconds,
  used_quota: Quota,
  other_info: z.string(),
})
export type Channel = z.output<typeof Channel>

const paging = { base: 0 } as const

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channel',
  access: 'admin',
  summary: 'Channels by priority, or by id with `id_sort`. Keys are never listed.',
  query: z
    .object({ id_sort: Flag, ...pageFields(paging) })
    .partial()
    .transform((query) => ({ idSort: query.id_sort ?? false, ...readPage(query, paging) })),
  reply: z.array(Channel),
  errors: [],
})

/** Fields left out take the defaults of the form. */
export const NewChannel = z.object({
  type: channelFields.type.default(1),
  name: z.string().default(''),
  key: z.string().default(''),
  base_url: z.string().default(''),
  models: z.string().default(''),
  group: z.string().default('default'),
  model_mapping: z.string().nullish(),
  status_code_mapping: z.string().nullish(),
  priority: channelFields.priority.nullish(),
  weight: channelFields.weight.nullish(),
  auto_ban: channelFields.auto_ban.nullish(),
  test_model: z.string().nullish(),
  tag: z.string().nullish(),
  model_prefix: z.string().nullish(),
  setting: z.string().nullish(),
  param_override: z.string().nullish(),
  system_prompt: z.string().nullish(),
  max_input_tokens: channelFields.max_input_tokens.nullish(),
  openai_organization: z.string().nullish(),
  other: z.string().nullish(),
})
export type NewChannel = z.output<typeof NewChannel>

export const createChannel = endpoint({
  method: 'POST',
  path: '/api/channel',
  access: 'admin',
  summary: 'Adds a channel; it is routed to within two seconds on every node.',
  body: NewChannel,
  reply: z.undefined(),
  errors: [
    'channel_name_key_required',
    'channel_models_required',
    'channel_type_unknown',
    'channel_base_url_required',
    'channel_base_url_invalid',
    'channel_json_invalid',
    'group_unknown',
  ],
})

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channel/{id}',
  access: 'admin',
  summary: 'Removes a channel and its abilities.',
  reply: z.undefined(),
  errors: ['channel_not_found'],
})

export const listChannelModels = endpoint({
  method: 'GET',
  path: '/api/models',
  access: 'user',
  summary: 'Suggested models by channel type.',
  reply: z.record(z.string(), z.array(z.string())),
  errors: [],
})
