import { ApiError } from '@tidegate/contract'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { askService, refuseFailure } from './provider-client.ts'
import { profileOf, type Profile } from './provider.ts'

const Answer = z.object({ success: z.literal(true), data: z.string().max(256).nullish() })

/** Asks the helper server of the site's WeChat account who was answered this code; it forgets codes after three minutes. */
export async function readWeChatProfile(deps: Pick<Deps, 'catalog' | 'log'>, code: string): Promise<Profile> {
  const { WeChatServerAddress, WeChatServerToken } = deps.catalog().settings
  if (!/^\d{1,16}$/.test(code)) throw new ApiError('code_invalid')
  const url = `${WeChatServerAddress}/api/wechat/user?${new URLSearchParams({ code }).toString()}`
  const headers = { Authorization: WeChatServerToken }
  const { data } = await refuseFailure(deps, 'wechat', () => askService(Answer, url, { headers }))
  if (!data) throw new ApiError('code_invalid')
  return profileOf({ service: 'wechat', subject: data }, { displayName: 'WeChat User' })
}
