import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Flag, OptionalText, UnixSeconds } from '../../values.ts'
import { NewChannel } from './channels.ts'

const TestResult = z.object({
  success: z.boolean(),
  /** Error message of the provider or of Tidegate; blank after a success. */
  message: z.string(),
  /** Seconds. */
  time: z.number(),
  /** The tested model. */
  model: z.string(),
  code: z.string().optional(),
  /** HTTP status of the provider, if the provider rejected the request. */
  status: z.int().optional(),
})

export const testChannel = endpoint({
  method: 'GET',
  path: '/api/channel/test/{id}',
  access: 'admin',
  summary: 'Tests a channel with a small request and returns the result. Disconnecting cancels the test.',
  sameOriginOnly: true,
  query: z.object({ model: OptionalText, stream: Flag }).partial(),
  bare: true,
  reply: TestResult,
  errors: ['channel_not_found', 'channel_test_unsupported', 'channel_test_off'],
})

/** The fields of a new channel that decide how a request is sent. */
const UnsavedChannel = NewChannel.pick({
  type: true,
  key: true,
  base_url: true,
  models: true,
  other: true,
  openai_organization: true,
  test_model: true,
  model_mapping: true,
  setting: true,
  param_override: true,
  header_override: true,
  system_prompt: true,
})
export type UnsavedChannel = z.output<typeof UnsavedChannel>

export const testUnsavedChannel = endpoint({
  method: 'POST',
  path: '/api/channel/test',
  access: 'admin',
  summary:
    'Tests a channel that is not saved yet with a small request and the first line of `key`. Stores nothing. Disconnecting cancels the test.',
  body: UnsavedChannel.extend({ model: z.string().nullish(), stream: z.boolean().default(false) }),
  bare: true,
  reply: TestResult,
  errors: [
    'channel_key_required',
    'channel_type_unknown',
    'channel_key_shape',
    'channel_line_break',
    'channel_model_name_too_long',
    'channel_base_url_required',
    'channel_base_url_invalid',
    'egress_not_allowed',
    'channel_region_required',
    'channel_region_invalid',
    'channel_json_invalid',
    'channel_model_mapping_invalid',
    'channel_setting_invalid',
    'channel_header_override_invalid',
    'channel_proxy_invalid',
    'channel_test_unsupported',
    'channel_test_off',
  ],
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
  summary: 'Starts a background test of all channels, except those disabled manually.',
  sameOriginOnly: true,
  reply: z.undefined(),
  errors: ['sweep_running', 'channel_test_off'],
})

export const getTestProgress = endpoint({
  method: 'GET',
  path: '/api/channel/test/progress',
  access: 'admin',
  summary: 'Returns the progress of the test of all channels.',
  reply: SweepProgress,
  errors: [],
})

export const cancelTests = endpoint({
  method: 'POST',
  path: '/api/channel/test/cancel',
  access: 'admin',
  summary: 'Cancels the test of all channels, on whichever node it runs.',
  reply: z.undefined(),
  errors: ['sweep_not_running'],
})

export const refreshBalance = endpoint({
  method: 'GET',
  path: '/api/channel/update_balance/{id}',
  access: 'admin',
  summary: 'Fetches the account balance of a channel from its provider.',
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
  summary:
    'Starts a background refresh of the balances of all enabled channels. Channels with an empty account are disabled.',
  sameOriginOnly: true,
  reply: z.undefined(),
  errors: ['sweep_running', 'upstream_calls_off'],
})

export const getBalanceProgress = endpoint({
  method: 'GET',
  path: '/api/channel/update_balance/progress',
  access: 'admin',
  summary: 'Returns the progress of the balance refresh.',
  reply: SweepProgress,
  errors: [],
})

export const cancelBalances = endpoint({
  method: 'POST',
  path: '/api/channel/update_balance/cancel',
  access: 'admin',
  summary: 'Cancels the balance refresh, on whichever node it runs.',
  reply: z.undefined(),
  errors: ['sweep_not_running'],
})
