import { api, ApiError } from '@tidegate/contract'
import { CHANNEL_TYPES } from '@tidegate/providers'
import { catalogChannel, splitKeys } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { checkFields } from '../check-fields.ts'
import { checkEgress } from '../destination.ts'
import { hideKeys, isMasked, readKeys } from '../keys/stored-keys.ts'
import { chooseTestModel, MAX_MESSAGE_LENGTH, requireProbe, runProbe, type TestResult } from './channel-test.ts'

type UnsavedTest = api.UnsavedChannel & { model?: string | null; stream: boolean }

/** Tests the values of a form with its first key. Masked keys are rejected: stored keys are never used here. */
export async function testUnsavedChannel(
  deps: Pick<Deps, 'catalog' | 'log' | 'probe'>,
  { model: requested, stream, key: text, ...fields }: UnsavedTest,
  signal: AbortSignal,
): Promise<TestResult> {
  const probe = requireProbe(deps)
  const { type } = fields
  if (!CHANNEL_TYPES.has(type)) throw new ApiError('channel_type_unknown', { type })
  if (api.UNTESTABLE_TYPES.has(type)) throw new ApiError('channel_test_unsupported')
  const keys = splitKeys(type, text)
  const [first = ''] = keys
  if (first === '' || isMasked(first)) throw new ApiError('channel_key_required')
  readKeys(type, first) // checks its format
  const input = {
    ...fields,
    base_url: fields.base_url ?? '',
    other: fields.other ?? '',
    models: fields.models.trim() || undefined,
  }
  const columns = checkFields(input, { type, base_url: '', other: '' }, deps.catalog().settings)
  const row = { ...EMPTY_ROW, ...columns, type }
  await checkEgress(row)
  const model = chooseTestModel(row, requested ?? undefined)
  const request = { channelId: row.id, unsaved: catalogChannel(row, first), model, stream, signal }
  const result = await runProbe(deps, probe, request, keys)
  return { ...result, message: hideKeys(result.message, keys).slice(0, MAX_MESSAGE_LENGTH), model }
}

/** The values of a channel without any input. */
const EMPTY_ROW = {
  id: 0,
  type: 0,
  name: '',
  status: api.CHANNEL_STATUS.enabled as number,
  sealed_key: '',
  base_url: '',
  models: '',
  group: '',
  model_mapping: '',
  status_code_mapping: '',
  priority: 0,
  weight: 0,
  auto_ban: false,
  test_model: '',
  tag: '',
  model_prefix: '',
  setting: '',
  param_override: '',
  header_override: '',
  system_prompt: '',
  max_input_tokens: 0,
  openai_organization: '',
  other: '',
}
