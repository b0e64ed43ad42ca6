import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { optionsQuery, useSaveOptions, type SaveResult } from '../queries.ts'
import { draftChanges } from './draft.ts'
import { billedCompletionsQuery } from './queries.ts'
import type { PriceDraft } from './use-price-draft.ts'

/** Saves what was entered onto what the server has by then, so that it undoes nothing that a colleague saved meanwhile. */
export function useSaveDraft({ draft, count, clear }: PriceDraft) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const save = useSaveOptions()
  const [isReading, setIsReading] = useState(false)
  const [failures, setFailures] = useState<SaveResult['failures']>([])
  const saving = isReading || save.isPending

  const submit = async () => {
    if (saving) return
    setFailures([])
    if (count === 0) return toast.info(t('unchanged'))
    const changes = await currentChanges()
    if (!changes) return toast.error(t('failed'))
    const result = await save.mutateAsync(changes)
    setFailures(result.failures)
    void client.invalidateQueries(billedCompletionsQuery)
    if (result.failures.length > 0) return toast.error(t(result.saved.length > 0 ? 'partlyFailed' : 'failed'))
    clear()
    toast.success(t('saved'))
  }

  /** Null when the server cannot be asked. */
  const currentChanges = async () => {
    setIsReading(true)
    try {
      const { texts } = await client.fetchQuery({ ...optionsQuery, staleTime: 0 })
      return draftChanges(texts, draft)
    } catch {
      return null
    } finally {
      setIsReading(false)
    }
  }

  return { saving, failures, submit }
}
