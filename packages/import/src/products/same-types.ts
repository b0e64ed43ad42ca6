import { api } from '@tidegate/contract'
import type { ChannelTarget } from './product.ts'

/** Types that have the same number here. */
export function sameTypes(isSame: (type: number) => boolean): [number, ChannelTarget][] {
  return api.CHANNEL_TYPE_LIST.filter(({ type }) => isSame(type)).map(({ type }) => [type, { type }])
}
