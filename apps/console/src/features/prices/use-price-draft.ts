import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isEditConflict } from '../../api/errors.ts'
import { optionsQuery, usePublishOptions, type OptionChange, type Options } from '../../api/options.ts'
import { toast } from '../../lib/toast.ts'
import { changedGroups, groupChanges, readGroups, type GroupSettings } from './groups.ts'
import {
  changedMeanwhile,
  changedNames,
  draftChanges,
  readPriceList,
  type Draft,
  type PriceList,
  type Prices,
} from './price-list.ts'

/** Unpublished changes of prices and groups, on top of the stored options. */
export interface PriceDraft {
  stored: PriceList
  draft: Draft
  groups: GroupSettings
  /** Models and groups that would change. */
  models: readonly string[]
  groupNames: readonly string[]
  changes: readonly OptionChange[]
  /** Sets prices by model; null removes them. */
  enter(prices: Iterable<readonly [string, Prices | null]>): void
  undo(name: string): void
  setGroups(groups: GroupSettings): void
  clear(): void
  saving: boolean
  /** Why the server rejected the last publication. */
  failure: unknown
  /** Models and groups that another administrator changed. */
  conflicts: readonly string[]
  publish(): Promise<void>
  /** Loads the current options and keeps the draft. */
  reload(): Promise<void>
}

const NO_DRAFT: Draft = new Map()
const GROUP_OPTIONS = ['GroupRatio', 'UserUsableGroups', 'AutoGroups', 'DefaultUseAutoGroup'] as const

export function usePriceDraft({ texts }: Pick<Options, 'texts'>): PriceDraft {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const save = usePublishOptions()
  const stored = useMemo(() => readPriceList(texts), [texts])
  const storedGroups = useMemo(() => readGroups(texts), [texts])
  const [draft, setDraft] = useState<Draft>(NO_DRAFT)
  const [groups, setGroups] = useState<GroupSettings | null>(null)
  /** The options that the draft was made on. */
  const [base, setBase] = useState<Options['texts'] | null>(null)
  const [isReading, setIsReading] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [conflicts, setConflicts] = useState<readonly string[]>([])
  const changes = useMemo(
    () => [...draftChanges(texts, draft), ...(groups ? groupChanges(texts, groups) : [])],
    [texts, draft, groups],
  )
  const begin = () => setBase((before) => before ?? texts)
  const clear = () => {
    setDraft(NO_DRAFT)
    setGroups(null)
    setBase(null)
    setFailure(null)
    setConflicts([])
  }

  /** Undefined when the server cannot be reached. */
  const readCurrent = async () => {
    setIsReading(true)
    try {
      return await client.fetchQuery({ ...optionsQuery, staleTime: 0 })
    } catch {
      return undefined
    } finally {
      setIsReading(false)
    }
  }

  const publish = async () => {
    if (isReading || save.isPending) return
    setFailure(null)
    setConflicts([])
    const now = await readCurrent()
    if (!now) return toast.error(t('failed'))
    const changed = conflictsOf(base ?? texts, now.texts, draft, groups)
    if (changed.length > 0) return setConflicts(changed)
    const optionChanges = [...draftChanges(now.texts, draft), ...(groups ? groupChanges(now.texts, groups) : [])]
    try {
      await save.mutateAsync(optionChanges.map((change) => ({ ...change, etag: now.etags[change.key] })))
    } catch (error) {
      if (isEditConflict(error)) return setConflicts([...draft.keys()])
      setFailure(error)
      return toast.error(t('failed'))
    }
    void client.invalidateQueries({ queryKey: ['pricing'] })
    void client.invalidateQueries({ queryKey: ['option-history'] })
    clear()
    toast.success(t('saved'))
  }

  const reload = async () => {
    const now = await readCurrent()
    if (!now) return toast.error(t('failed'))
    setBase(now.texts)
    setConflicts([])
    setFailure(null)
  }

  return {
    stored,
    draft,
    groups: groups ?? storedGroups,
    models: changedNames(stored, draft),
    groupNames: groups ? changedGroups(texts, groups) : [],
    changes,
    enter: (prices) => {
      begin()
      setDraft((before) => new Map([...before, ...prices]))
    },
    undo: (name) => setDraft((before) => new Map([...before].filter(([other]) => other !== name))),
    setGroups: (next) => {
      begin()
      setGroups(next)
    },
    clear,
    saving: isReading || save.isPending,
    failure,
    conflicts,
    publish,
    reload,
  }
}

function conflictsOf(
  base: Options['texts'],
  now: Options['texts'],
  draft: Draft,
  groups: GroupSettings | null,
): readonly string[] {
  const models = changedMeanwhile(readPriceList(base), readPriceList(now), draft)
  const isGroupChanged = groups !== null && GROUP_OPTIONS.some((key) => base[key] !== now[key])
  return isGroupChanged ? [...models, ...changedGroups(base, readGroups(now))] : models
}
