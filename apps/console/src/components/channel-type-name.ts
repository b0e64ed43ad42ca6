import { CHANNEL_TYPE_LIST, channelTypeOf, type ChannelType } from '@tidegate/contract/api'
import type { TFunction } from 'i18next'
import type { Texts } from '../locales/texts.ts'

type LocalizedType = keyof Texts['channels']['types']['names']

/** Types of Chinese providers, whose names differ in Chinese. */
const LOCALIZED_TYPES: ReadonlySet<string> = new Set<LocalizedType>([
  '15',
  '16',
  '17',
  '18',
  '19',
  '23',
  '25',
  '26',
  '31',
  '40',
  '45',
  '46',
])

/** The name of a provider in the language of the page. */
export function typeName(type: number, t: TFunction<'channels'>): string {
  if (type === CUSTOM_TYPE) return t('types.custom')
  const key = String(type)
  if (isLocalized(key)) return t(`types.names.${key}`)
  return channelTypeOf(type)?.name ?? t('types.other', { type })
}

const isLocalized = (key: string): key is LocalizedType => LOCALIZED_TYPES.has(key)

export const CUSTOM_TYPE = 8

/** Types for new channels, and the current type of a channel. */
export function selectableTypes(current?: number): ChannelType[] {
  return CHANNEL_TYPE_LIST.filter(({ type, offered }) => offered || type === current)
}
