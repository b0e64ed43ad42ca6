import { ApiError } from '@tidegate/contract'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { fetchJson, withProviderErrors } from './provider-client.ts'
import { createProfile, type Profile } from './provider.ts'

const WeChatResponse = z.object({ success: z.literal(true), data: z.string().max(256).nullish() })

/** Asks the WeChat helper server which user received this code. Codes expire after three minutes. */
export async function readWeChatProfile(deps: Pick<Deps, 'catalog' | 'log'>, code: string): Promise<Profile> {
  const { WeChatServerAddress, WeChatServerToken } = deps.catalog().settings
  if (!/^\d{1,16}$/.test(code)) throw new ApiError('code_invalid')
  const url = `${WeChatServerAddress}/api/wechat/user?${new URLSearchParams({ code }).toString()}`
  const headers = { Authorization: WeChatServerToken }
  const { data } = await withProviderErrors(deps, 'wechat', () => fetchJson(WeChatResponse, url, { headers }))
  if (!data) throw new ApiError('code_invalid')
  return createProfile({ service: 'wechat', subject: data }, { displayName: 'WeChat User' })
}
