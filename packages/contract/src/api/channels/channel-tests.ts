import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Flag, OptionalText, UnixSeconds } from '../../values.ts'

export const testChannel = endpoint({
  method: 'GET',
  path: '/api/channel/test/{id}',
  access: 'admin',
  summary: 'Sends a small call through a channel and says how it went. Hanging up ends the call.',
  sameOriginOnly: true,
  query: z.object({ model: OptionalText, stream: Flag }).partial(),
  bare: true,
  reply: z.object({
    success: z.boolean(),
    /** Error message of the provider or of Tidegate; blank after a success. */
    message: z.string(),
    /** Seconds. */
    time: z.number(),
    /** The tested model. */
    model: z.string(),
    code: z.string().optional(),
  }),
  errors: ['channel_not_found', 'channel_test_unsupported', 'channel_test_off'],
})

/** Progress of a job over all channels; the same on every node. */
export const SweepProgress = z.object({
  running: z.boolean(),
  done: z.int(),
  total: z.int(),
  /** Name of the channel in progress. */
  current: z.string(),
  failed: z.int(),
  started_time: UnixSeconds,
  /** 0 while it runs, and if its process died. */
  finished_time: UnixSeconds,
  cancelled: z.boolean(),
})
export type SweepProgress = z.output<typeof SweepProgress>

export const testAllChannels = endpoint({
  method: 'GET',
  path: '/api/channel/test',
  access: 'admin',
  summary: 'Starts testing all channels in the background, except those disabled by hand.',
  sameOriginOnly: true,
  reply: z.undefined(),
  errors: ['sweep_running', 'channel_test_off'],
})

export const getTestProgress = endpoint({
  method: 'GET',
  path: '/api/channel/test/progress',
  access: 'admin',
  summary: 'How far the test of all channels has come.',
  reply: SweepProgress,
  errors: [],
})

export const cancelTests = endpoint({
  method: 'POST',
  path: '/api/channel/test/cancel',
  access: 'admin',
  summary: 'Ends the test of all channels early, on whichever node it runs.',
  reply: z.undefined(),
  errors: ['sweep_not_running'],
})

export const refreshBalance = endpoint({
  method: 'GET',
  path: '/api/channel/update_balance/{id}',
  access: 'admin',
  summary: 'Asks the vendor what is left on the account of a channel.',
  sameOriginOnly: true,
  bare: true,
  reply: z.object({ success: z.literal(true), message: z.string(), balance: z.number() }),
  errors: [
    'channel_not_found',
    'channel_key_unreadable',
    'balance_unsupported',
    'balance_failed',
    'upstream_calls_off',
  ],
})

export const refreshAllBalances = endpoint({
  method: 'GET',
  path: '/api/channel/update_balance',
  access: 'admin',
  summary: 'Starts asking for the balances of all enabled channels in the background; an empty account is disabled.',
  sameOriginOnly: true,
  reply: z.undefined(),
  errors: ['sweep_running', 'upstream_calls_off'],
})

export const getBalanceProgress = endpoint({
  method: 'GET',
  path: '/api/channel/update_balance/progress',
  access: 'admin',
  summary: 'How far the refresh of all balances has come.',
  reply: SweepProgress,
  errors: [],
})

export const cancelBalances = endpoint({
  method: 'POST',
  path: '/api/channel/update_balance/cancel',
  access: 'admin',
  summary: 'Ends the refresh of all balances early, on whichever node it runs.',
  reply: z.undefined(),
  errors: ['sweep_not_running'],
})
