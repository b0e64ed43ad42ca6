import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isEditConflict } from '../../../lib/call-error.ts'
import { toast } from '../../../lib/toast.ts'
import { optionsQuery, useSaveOptions, type SaveResult } from '../queries.ts'
import { changedMeanwhile, draftChanges } from './draft.ts'
import { readPriceList } from './price-list.ts'
import { billedCompletionsQuery } from './queries.ts'
import type { PriceDraft } from './use-price-draft.ts'

/** Saves what was entered onto what the server has by then, so that it undoes nothing that a colleague saved meanwhile. */
export function useSaveDraft({ stored, draft, count, clear }: PriceDraft) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const save = useSaveOptions()
  const [isReading, setIsReading] = useState(false)
  const [failures, setFailures] = useState<SaveResult['failures']>([])
  /** Models whose price another administrator changed while one was entered here. */
  const [conflicts, setConflicts] = useState<readonly string[]>([])
  const saving = isReading || save.isPending

  const submit = async () => {
    if (saving) return
    setFailures([])
    setConflicts([])
    if (count === 0) return toast.info(t('unchanged'))
    const changes = await currentChanges()
    if (!changes) return toast.error(t('failed'))
    if ('conflicts' in changes) return setConflicts(changes.conflicts)
    const result = await save.mutateAsync(changes)
    const isConflict = ({ error }: SaveResult['failures'][number]) => isEditConflict(error)
    if (result.failures.some(isConflict)) setConflicts([...draft.keys()])
    setFailures(result.failures.filter((failure) => !isConflict(failure)))
    void client.invalidateQueries(billedCompletionsQuery)
    if (result.failures.length > 0) {
      if (!result.failures.every(isConflict)) toast.error(t(result.saved.length > 0 ? 'partlyFailed' : 'failed'))
      return
    }
    clear()
    toast.success(t('saved'))
  }

  /** Null when the server cannot be asked. */
  const currentChanges = async () => {
    setIsReading(true)
    try {
      const { texts, etags } = await client.fetchQuery({ ...optionsQuery, staleTime: 0 })
      const changed = changedMeanwhile(stored, readPriceList(texts), draft)
      if (changed.length > 0) return { conflicts: changed }
      return draftChanges(texts, draft).map((change) => ({ ...change, etag: etags[change.key] }))
    } catch {
      return null
    } finally {
      setIsReading(false)
    }
  }

  const reload = async () => {
    await client.refetchQueries(optionsQuery)
    setConflicts([])
    setFailures([])
  }

  return { saving, failures, conflicts, submit, reload }
}
