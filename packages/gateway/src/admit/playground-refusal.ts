import { ApiError, type ErrorCode } from '@tidegate/contract'
import type { KnownRequest } from '../http/api-request.ts'

const OUT_OF_REACH = new Set<ErrorCode>(['no_channel', 'model_not_in_group', 'model_endpoint_unsupported'])

/** The playground has one code for a known model that cannot be called in the chosen group. */
export function playgroundRefusal(
  { group = '', model = '' }: Pick<KnownRequest, 'group' | 'model'>,
  error: unknown,
): unknown {
  if (!(error instanceof ApiError) || !OUT_OF_REACH.has(error.code)) return error
  return new ApiError('get_playground_channel_failed', { group, model }, { cause: error })
}
