import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { UnixSeconds } from '../../values.ts'

/** One key of a channel; `status` has the values of `CHANNEL_STATUS`. */
export const ChannelKey = z.object({
  /** Identifies the key in requests without revealing it. */
  hash: z.string(),
  masked: z.string(),
  status: z.int(),
  reason: z.string(),
  changed_time: UnixSeconds,
})
export type ChannelKey = z.output<typeof ChannelKey>

export const listChannelKeys = endpoint({
  method: 'GET',
  path: '/api/channel/{id}/keys',
  access: 'admin',
  summary: 'Lists the keys of a channel in order, masked, with their status.',
  reply: z.array(ChannelKey),
  errors: ['channel_not_found', 'channel_key_unreadable'],
})

export const enableChannelKey = endpoint({
  method: 'POST',
  path: '/api/channel/{id}/keys/{hash}/enabled',
  access: 'admin',
  summary:
    'Enables a channel key. A channel that was disabled automatically because it had no usable key is enabled too.',
  reply: z.undefined(),
  errors: ['channel_not_found', 'channel_key_unreadable', 'channel_key_not_found'],
})

export const disableChannelKey = endpoint({
  method: 'POST',
  path: '/api/channel/{id}/keys/{hash}/disabled',
  access: 'admin',
  summary: 'Disables a channel key. The last enabled key cannot be disabled: disable the channel instead.',
  reply: z.undefined(),
  errors: ['channel_not_found', 'channel_key_unreadable', 'channel_key_not_found', 'channel_key_last'],
})
