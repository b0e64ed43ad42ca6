import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { TagRow } from './list-rows.ts'

/** What a row of the tag view is called: its tag, or "Untagged" with the count. */
export function useTagName(): (row: Pick<TagRow, 'tag' | 'channels'>) => string {
  const { t } = useTranslation('channels')
  return useCallback(({ tag, channels }) => tag || t('tag.untagged', { count: channels.length }), [t])
}
