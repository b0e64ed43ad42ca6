import { z } from 'zod'
import { flag } from '../define.ts'
import { json, namedMap, namedMapSchema } from '../define-json.ts'

const groups = { tab: 'operation', section: 'groups' } as const

/** Channels list their groups separated by commas, so a name holds none. */
export const GROUP_NAME = /^(?!\s)[^,\p{Cc}]{1,64}(?<!\s)$/u

export const groupOptions = {
  /** Its keys are the groups that exist. */
  GroupRatio: json(
    groups,
    namedMapSchema(z.number().nonnegative(), GROUP_NAME),
    namedMap({ default: 1, vip: 1, svip: 1 }),
  ),
  /** Groups every user may choose, with the description shown beside them. */
  UserUsableGroups: json(
    groups,
    namedMapSchema(z.string().max(256), GROUP_NAME),
    namedMap({ default: '默认分组', vip: 'VIP 分组' }),
  ),
  /** Groups that tokens of the group `auto` try, in this order, as far as their owner may use them. */
  AutoGroups: json<readonly string[]>(groups, z.array(z.string().regex(GROUP_NAME)).max(100), []),
  /** New tokens get the group `auto` when no group is chosen. */
  DefaultUseAutoGroup: flag(groups, false),
}
