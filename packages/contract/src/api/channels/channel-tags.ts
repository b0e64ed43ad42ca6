import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { parseInteger } from '../../values.ts'
import { ChannelIds } from './channels.ts'

const DEFAULT_TAGS = 100
const MAX_TAGS = 200

export const listChannelTags = endpoint({
  method: 'GET',
  path: '/api/channel/tags',
  access: 'admin',
  summary: 'Lists the tags of all channels by name.',
  query: z
    .object({
      offset: z.unknown().meta({ type: 'integer', minimum: 0, default: 0 }),
      limit: z.unknown().meta({ type: 'integer', minimum: 1, maximum: MAX_TAGS, default: DEFAULT_TAGS }),
    })
    .partial()
    .transform((query) => {
      const limit = parseInteger(query.limit) ?? 0
      return {
        offset: Math.max(parseInteger(query.offset) ?? 0, 0),
        limit: limit >= 1 && limit <= MAX_TAGS ? limit : DEFAULT_TAGS,
      }
    }),
  reply: z.array(z.string()),
  errors: [],
})

export const tagChannels = endpoint({
  method: 'POST',
  path: '/api/channel/batch/tag',
  access: 'admin',
  summary: 'Sets the tag of the given channels, or removes it with null or blank. Returns the number of channels.',
  body: z.object({ ids: ChannelIds.default([]), tag: z.string().nullish() }),
  reply: z.int(),
  errors: ['channel_tag_too_long'],
})

/** Names as a list or as text separated by commas. */
const Names = z.union([z.string(), z.array(z.string()).transform((names) => names.join(','))])

/** Missing, null and empty fields do not change, except that an empty `new_tag` removes the tag. */
export const TagChanges = z.object({
  tag: z.string().default(''),
  new_tag: z.string().nullish(),
  model_mapping: z.string().nullish(),
  models: Names.nullish(),
  groups: Names.nullish(),
  priority: z.int().nullish(),
  weight: z.int().nullish(),
})
export type TagChanges = z.output<typeof TagChanges>

export const updateChannelTag = endpoint({
  method: 'PUT',
  path: '/api/channel/tag',
  access: 'admin',
  summary: 'Changes all channels with a tag.',
  body: TagChanges,
  reply: z.undefined(),
  errors: [
    'channel_tag_required',
    'channel_tag_not_found',
    'channel_tag_too_long',
    'channel_json_invalid',
    'channel_model_mapping_invalid',
    'channel_models_required',
    'channel_model_name_too_long',
    'channel_priority_invalid',
    'channel_weight_invalid',
    'group_unknown',
  ],
})

const body = z.object({ tag: z.string().default('') })

export const enableChannelTag = endpoint({
  method: 'POST',
  path: '/api/channel/tag/enabled',
  access: 'admin',
  summary: 'Enables all channels with a tag.',
  body,
  reply: z.undefined(),
  errors: ['channel_tag_required', 'channel_tag_not_found'],
})

export const disableChannelTag = endpoint({
  method: 'POST',
  path: '/api/channel/tag/disabled',
  access: 'admin',
  summary: 'Disables all channels with a tag.',
  body,
  reply: z.undefined(),
  errors: ['channel_tag_required', 'channel_tag_not_found'],
})
