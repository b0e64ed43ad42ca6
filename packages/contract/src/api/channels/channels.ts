import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Id, Quota, UnixSeconds } from '../../values.ts'

export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

/** Limits of fields. Lengths are in characters. */
export const CHANNEL_LIMITS = { name: 255, tag: 64, model: 255, minPriority: -999, maxWeight: 1_000_000_000 } as const

/** A channel in lists, without its keys. */
export const Channel = z.object({
  id: Id,
  type: z.int().nonnegative(),
  name: z.string(),
  base_url: z.string(),
  /** Separated by commas. */
  models: z.string(),
  group: z.string(),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  priority: z.int(),
  weight: z.int().nonnegative(),
  auto_ban: z.union([z.literal(0), z.literal(1)]),
  test_model: z.string(),
  tag: z.string(),
  model_prefix: z.string(),
  setting: z.string(),
  param_override: z.string(),
  /** JSON text: header names to values. `{api_key}` is the channel key, `{client_header:NAME}` a header of the caller. */
  header_override: z.string(),
  system_prompt: z.string(),
  max_input_tokens: z.int().nonnegative(),
  openai_organization: z.string(),
  other: z.string(),
  status: z.int(),
  created_time: UnixSeconds,
  test_time: UnixSeconds,
  /** Milliseconds of the last test, whether it passed or not; 0 before the first. */
  response_time: z.int(),
  balance: z.number(),
  balance_updated_time: UnixSeconds,
  used_quota: Quota,
  /** JSON text; `status_reason` and `status_time` are set when a channel was disabled automatically. */
  other_info: z.string(),
  key_count: z.int(),
  /** Keys disabled manually or automatically. */
  disabled_key_count: z.int(),
})
export type Channel = z.output<typeof Channel>

/** One channel with masked keys, one per line. In an update, a masked line keeps its key. */
export const ChannelDetail = Channel.extend({ key: z.string() })
export type ChannelDetail = z.output<typeof ChannelDetail>

export const getChannel = endpoint({
  versioned: true,
  method: 'GET',
  path: '/api/channel/{id}',
  access: 'admin',
  summary: 'Returns one channel with masked keys.',
  reply: ChannelDetail,
  errors: ['channel_not_found'],
})

export const revealChannelKey = endpoint({
  method: 'POST',
  path: '/api/channel/{id}/reveal',
  access: 'admin',
  summary: 'Reveals the keys of a channel, one per line and as a list. Recorded in the audit log.',
  proof: 'orToken',
  scope: 'read',
  reply: z.object({ key: z.string(), keys: z.array(z.string()) }),
  errors: ['channel_not_found', 'channel_key_unreadable'],
})

const writableFields = {
  openai_organization: z.string().nullish(),
  test_model: z.string().nullish(),
  model_mapping: z.string().nullish(),
  status_code_mapping: z.string().nullish(),
  priority: z.int().nullish(),
  weight: z.int().nullish(),
  auto_ban: z.union([z.literal(0), z.literal(1)]).nullish(),
  tag: z.string().nullish(),
  model_prefix: z.string().nullish(),
  setting: z.string().nullish(),
  param_override: z.string().nullish(),
  header_override: z.string().nullish(),
  system_prompt: z.string().nullish(),
  max_input_tokens: z.int().nonnegative().nullish(),
  other: z.string().nullish(),
}

/** Missing fields get the defaults of the form. Several keys are separated by line breaks or commas. */
export const NewChannel = z.object({
  type: z.int().nonnegative().default(1),
  name: z.string().default(''),
  key: z.string().default(''),
  base_url: z.string().nullish(),
  models: z.string().default(''),
  group: z.string().default('default'),
  /** Creates the channel disabled, so that no request uses it. */
  disabled: z.boolean().optional(),
  ...writableFields,
})
export type NewChannel = z.output<typeof NewChannel>
export type NewChannelInput = z.input<typeof NewChannel>

/** Key modes that tools of related products send. Both create one channel. */
export const CHANNEL_MODES: readonly string[] = ['single', 'multi_to_single']

/** A channel, or the format of related products: the channel in `channel`, and its mode. */
type CreateChannelInput = NewChannelInput | { mode: string; channel: NewChannelInput }

const MODE_HINT = '`single` or `multi_to_single`, only together with `channel`, which then contains the other fields'

const CreateChannelBody = z.preprocess(
  (body: CreateChannelInput) => unwrapChannel(body),
  NewChannel.extend({ mode: z.string().optional().meta({ description: MODE_HINT }) }),
)

/** A body with `channel` is always unwrapped, so that errors name the fields of the channel. */
function unwrapChannel(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('channel' in body)) return body
  const { channel } = body
  if (typeof channel !== 'object' || channel === null) return channel
  return { ...channel, mode: 'mode' in body ? body.mode : '' }
}

const FIELD_ERRORS = [
  'channel_name_too_long',
  'channel_models_required',
  'channel_model_name_too_long',
  'channel_type_unknown',
  'channel_key_single',
  'channel_key_shape',
  'channel_key_mask_unknown',
  'channel_line_break',
  'channel_base_url_required',
  'channel_base_url_invalid',
  'egress_not_allowed',
  'channel_region_required',
  'channel_region_invalid',
  'channel_json_invalid',
  'channel_model_mapping_invalid',
  'channel_status_code_mapping_invalid',
  'channel_setting_invalid',
  'channel_header_override_invalid',
  'channel_proxy_invalid',
  'channel_priority_invalid',
  'channel_weight_invalid',
  'channel_tag_too_long',
  'group_unknown',
] as const

export const createChannel = endpoint({
  method: 'POST',
  path: '/api/channel',
  access: 'admin',
  summary: 'Creates a channel and returns it with masked keys. Every node routes to it within two seconds.',
  body: CreateChannelBody,
  reply: ChannelDetail,
  errors: ['channel_mode_unknown', 'channel_name_key_required', ...FIELD_ERRORS],
})

export const copyChannel = endpoint({
  method: 'POST',
  path: '/api/channel/{id}/copy',
  access: 'admin',
  summary: 'Copies a channel with its fields, keys and status, and returns the copy.',
  proof: 'orToken',
  idempotent: true,
  body: z.object({ name: z.string().nullish() }),
  reply: ChannelDetail,
  errors: ['channel_not_found', 'channel_key_unreadable', 'channel_name_too_long'],
})

/**
 * Missing and null fields do not change, nor do an empty type, key, status, name, model list or group. Other fields are
 * cleared by an empty text. A key line masked by `getChannel` keeps its key.
 */
export const ChannelChanges = z.object({
  id: Id,
  type: z.int().nonnegative().nullish(),
  status: z.int().nullish(),
  name: z.string().nullish(),
  key: z.string().nullish(),
  base_url: z.string().nullish(),
  models: z.string().nullish(),
  group: z.string().nullish(),
  ...writableFields,
})
export type ChannelChanges = z.output<typeof ChannelChanges>

/**
 * `reauth`: the field decides where the keys of a channel are sent. A session needs recent re-authentication to change it
 * and an automation token `channel_keys:write`, unless the request enters all keys again.
 */
export const CHANNEL_FIELD_GUARDS: Readonly<Record<Exclude<keyof ChannelChanges, 'id'>, 'reauth' | null>> = {
  type: 'reauth',
  base_url: 'reauth',
  /** The region, for types that have one. */
  other: 'reauth',
  /** Only its proxy. */
  setting: 'reauth',
  /** Its values may contain secrets, and the key as `{api_key}`. */
  header_override: 'reauth',
  status: null,
  name: null,
  key: null,
  models: null,
  group: null,
  openai_organization: null,
  test_model: null,
  model_mapping: null,
  status_code_mapping: null,
  priority: null,
  weight: null,
  auto_ban: null,
  tag: null,
  model_prefix: null,
  param_override: null,
  system_prompt: null,
  max_input_tokens: null,
}

export const updateChannel = endpoint({
  versioned: true,
  method: 'PUT',
  path: '/api/channel',
  access: 'admin',
  summary:
    'Changes the given fields and returns the channel. Enabling clears the reason why it was disabled. A new type, address, region, proxy or header override needs recent re-authentication, a token with `channel_keys:write`, or all keys again.',
  body: ChannelChanges,
  reply: ChannelDetail,
  errors: ['channel_not_found', 'channel_status_invalid', 'channel_key_unreadable', 'proof_required', ...FIELD_ERRORS],
})

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channel/{id}',
  access: 'admin',
  summary: 'Deletes a channel and its abilities.',
  reply: z.undefined(),
  errors: ['channel_not_found'],
})

export const deleteDisabledChannels = endpoint({
  method: 'DELETE',
  path: '/api/channel/disabled',
  access: 'admin',
  summary: 'Deletes all disabled channels and returns their number.',
  reply: z.int(),
  errors: [],
})

/** Ids of the rows an action is for. */
export const ChannelIds = z.array(Id).max(10_000)

export const deleteChannels = endpoint({
  method: 'POST',
  path: '/api/channel/batch',
  access: 'admin',
  summary: 'Deletes the given channels and returns their number.',
  body: z.object({ ids: ChannelIds.default([]) }),
  reply: z.int(),
  errors: [],
})

export const fixChannels = endpoint({
  method: 'POST',
  path: '/api/channel/fix',
  access: 'admin',
  summary: 'Rebuilds outdated abilities from their channels and returns the number of corrected channels.',
  reply: z.int(),
  errors: [],
})
