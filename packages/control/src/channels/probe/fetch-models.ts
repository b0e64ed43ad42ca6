import { ApiError } from '@tidegate/contract'
import { CHANNEL_TYPES, providerOf } from '@tidegate/providers'
import { splitKeys } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { queryUpstream, parseResponse, UpstreamQueryError } from './query-upstream.ts'
import { checkBaseUrl } from '../check-fields.ts'
import { checkHeaderOverride, checkSetting } from '../check-json.ts'
import { findChannel } from '../channel.ts'
import { isMasked } from '../keys/stored-keys.ts'
import { headerOverrideOf, requireUpstream, providerAccount, settingOf, type ProviderAccount } from '../destination.ts'

/** Lists the models that the provider offers for the channel's first key. */
export async function fetchChannelModels(
  deps: Pick<Deps, 'db' | 'vault' | 'upstream'>,
  id: number,
  signal: AbortSignal,
): Promise<string[]> {
  const account = providerAccount(deps.vault, await findChannel(deps.db, id))
  return requestModels(deps, account, signal, 'fetch_models_failed')
}

export interface UnsavedChannel {
  type: number
  base_url?: string | null
  key: string
  setting?: string | null
  header_override?: string | null
}

/** The same for an unsaved form. */
export async function fetchUnsavedModels(
  deps: Pick<Deps, 'upstream'>,
  { type, base_url, key: text, setting, header_override }: UnsavedChannel,
  signal: AbortSignal,
): Promise<string[]> {
  const key = splitKeys(type, text)[0] ?? ''
  if (key === '' || isMasked(key)) throw new ApiError('channel_key_required')
  const baseUrl = CHANNEL_TYPES.has(type) || base_url ? checkBaseUrl(type, base_url ?? '') : ''
  const channel = {
    type,
    baseUrl,
    setting: settingOf(checkSetting(setting ?? '')),
    headerOverride: headerOverrideOf(checkHeaderOverride(header_override ?? '')),
  }
  return requestModels(deps, { channel, key }, signal, 'fetch_models_upstream_failed')
}

async function requestModels(
  deps: Pick<Deps, 'upstream'>,
  account: ProviderAccount,
  signal: AbortSignal,
  code: 'fetch_models_failed' | 'fetch_models_upstream_failed',
): Promise<string[]> {
  const upstream = requireUpstream(deps)
  const { channel } = account
  const provider = providerOf(channel.type)
  const { modelList } = provider
  if (!modelList || (channel.baseUrl === '' && provider.baseUrl === '')) throw new ApiError('model_list_unsupported')
  try {
    const models = await queryUpstream(upstream, account, { url: modelList.url(channel), signal })
    return [...new Set(parseResponse(() => modelList.read(models)))]
  } catch (error) {
    if (error instanceof UpstreamQueryError) throw new ApiError(code, { reason: error.reason }, { cause: error })
    throw error
  }
}
