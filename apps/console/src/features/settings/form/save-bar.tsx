import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isEditConflict } from '../../../api/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Button } from '../../../ui/kit/index.ts'
import type { SaveResult } from '../api.ts'
import type { SectionId } from '../sections/index.ts'
import styles from '../settings.module.css'

/** What the bar needs of a section. */
export interface SectionActions {
  /** Shows the errors of its fields. */
  validate(): Promise<boolean>
  /** Saves its changes; null if the user cancelled or a field is invalid. */
  save(): Promise<SaveResult | null>
  undo(): void
}

interface UnsavedSection {
  count: number
  actions: SectionActions
}

/** Called with the number of unsaved changes of a section. */
export type OnUnsaved = (id: SectionId, count: number, actions: SectionActions) => void

/** The sections with unsaved changes, which are saved together. */
export function useUnsavedSections() {
  const { t } = useTranslation('settings')
  const [unsaved, setUnsaved] = useState<ReadonlyMap<SectionId, UnsavedSection>>(new Map())
  const [isSaving, setIsSaving] = useState(false)
  const onUnsaved = useCallback<OnUnsaved>(
    (id, count, actions) =>
      setUnsaved((before) => {
        if ((before.get(id)?.count ?? 0) === count) return before
        const after = new Map(before)
        if (count === 0) after.delete(id)
        else after.set(id, { count, actions })
        return after
      }),
    [],
  )

  const saveAll = async () => {
    const sections = [...unsaved.values()].map(({ actions }) => actions)
    // Nothing is saved while a section has an error. One after the other, because each scrolls to its first error.
    for (const section of sections) if (!(await section.validate())) return toast.error(t('check'))
    setIsSaving(true)
    const results: SaveResult[] = []
    for (const section of sections) {
      const result = await section.save()
      if (result === null) break
      results.push(result)
    }
    setIsSaving(false)
    const failures = results.flatMap((result) => result.failures)
    const hasSaved = results.some(({ saved }) => saved.length > 0)
    if (failures.some(({ error }) => !isEditConflict(error))) toast.error(t(hasSaved ? 'partlyFailed' : 'failed'))
    else if (hasSaved && failures.length === 0) toast.success(t('saved'))
  }
  const isRunning = useRef(false)
  const save = async () => {
    if (isRunning.current) return
    isRunning.current = true
    await saveAll().finally(() => (isRunning.current = false))
  }
  return { unsaved, onUnsaved, save, isSaving }
}

interface BarProps extends Omit<ReturnType<typeof useUnsavedSections>, 'onUnsaved'> {
  /** Also shown, and disabled, without changes. */
  isAlways?: boolean
}

/** Saves or discards the changes of all sections. It is below them, and in view while there are any. */
export function SaveBar({ unsaved, save, isSaving, isAlways = false }: BarProps) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const hasChanges = unsaved.size > 0
  if (!hasChanges && !isAlways) return null
  const count = [...unsaved.values()].reduce((sum, section) => sum + section.count, 0)
  return (
    <section className={styles.saveBar} aria-label={t('unsavedChanges')} data-idle={!hasChanges || undefined}>
      <output>{hasChanges && <StatusTag tone="warn">{t('unsavedCount', { count })}</StatusTag>}</output>
      <span className={styles.unsavedNames}>{[...unsaved.keys()].map((id) => t(`parts.${id}.title`)).join(' · ')}</span>
      <span className={styles.saveActions}>
        <Button disabled={isSaving || !hasChanges} onClick={() => unsaved.forEach(({ actions }) => actions.undo())}>
          {t('undo')}
        </Button>
        <Button
          type="primary"
          aria-label={common('save')}
          disabled={!hasChanges}
          loading={isSaving}
          onClick={() => void save()}
        >
          {common('save')}
        </Button>
      </span>
    </section>
  )
}
