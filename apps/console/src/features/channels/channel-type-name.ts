import { CHANNEL_TYPE_LIST, channelTypeOf, type ChannelType } from '@tidegate/contract/api'
import type { TFunction } from 'i18next'

/** Vendors have names of their own; the type for everybody else has a word in each language. */
export function typeName(type: number, t: TFunction<'channels'>): string {
  if (type === CUSTOM_TYPE) return t('types.custom')
  return channelTypeOf(type)?.name ?? t('types.other', { type })
}

export const CUSTOM_TYPE = 8

/** What can be chosen: the types on offer, and the one that a channel has already. */
export function selectableTypes(current?: number): ChannelType[] {
  return CHANNEL_TYPE_LIST.filter(({ type, offered }) => offered || type === current)
}
