import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { ChannelIds } from './channels.ts'

const ids = { ids: ChannelIds.default([]) }

export const enableChannels = endpoint({
  method: 'POST',
  path: '/api/channel/batch/enabled',
  access: 'admin',
  summary: 'Enables the given channels and returns the number of changed ones.',
  body: z.object(ids),
  reply: z.int(),
  errors: [],
})

export const disableChannels = endpoint({
  method: 'POST',
  path: '/api/channel/batch/disabled',
  access: 'admin',
  summary: 'Disables the given channels and returns the number of changed ones.',
  body: z.object(ids),
  reply: z.int(),
  errors: [],
})

export const setChannelPriority = endpoint({
  method: 'POST',
  path: '/api/channel/batch/priority',
  access: 'admin',
  summary: 'Sets the priority of the given channels and returns the number of channels.',
  body: z.object({ ...ids, priority: z.int() }),
  reply: z.int(),
  errors: ['channel_priority_invalid'],
})

export const setChannelWeight = endpoint({
  method: 'POST',
  path: '/api/channel/batch/weight',
  access: 'admin',
  summary: 'Sets the weight of the given channels and returns the number of channels.',
  body: z.object({ ...ids, weight: z.int() }),
  reply: z.int(),
  errors: ['channel_weight_invalid'],
})
