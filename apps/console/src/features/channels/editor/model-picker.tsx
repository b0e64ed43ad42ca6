import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChoiceGrid } from '../../../ui/choice-grid.tsx'
import { Modal, Segmented } from '../../../ui/kit/index.ts'
import styles from './editor.module.css'

const SOURCES = ['related', 'all', 'upstream'] as const
export type PickerSource = (typeof SOURCES)[number]

interface Props {
  /** Which list is open; null while the picker is closed. */
  source: PickerSource | null
  onSource(source: PickerSource | null): void
  lists: Readonly<Record<PickerSource, readonly string[]>>
  chosen: readonly string[]
  onDone(models: string[]): void
}

/** Models to tick, from what suits the type, from all that are known, or from what the vendor answered. */
export function ModelPicker({ source, onSource, lists, chosen, onDone }: Props) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const [draft, setDraft] = useState<ReadonlySet<string>>(new Set())
  const [wasOpen, setWasOpen] = useState(false)
  const isOpen = source !== null
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    if (isOpen) setDraft(new Set(chosen))
  }
  // Where a list is empty there is nothing to choose from; the vendor's is offered once it was asked.
  const offered = SOURCES.filter((name) => lists[name].length > 0)
  const shown = source !== null && lists[source].length > 0 ? source : (offered[0] ?? 'related')
  return (
    <Modal
      title={t('form.pickerTitle')}
      open={isOpen}
      onCancel={() => onSource(null)}
      onOk={() => {
        onDone([...draft])
        onSource(null)
      }}
      okText={t('form.pickerDone', { count: draft.size })}
      cancelText={common('cancel')}
      width={760}
      destroyOnHidden
    >
      {offered.length > 1 && (
        <Segmented<PickerSource>
          className={styles.sources}
          aria-label={t('form.pickerTitle')}
          value={shown}
          onChange={onSource}
          options={offered.map((name) => ({
            value: name,
            label: t(`form.sources.${name}`, { count: lists[name].length }),
          }))}
        />
      )}
      <ChoiceGrid label={t('form.pickerTitle')} names={lists[shown]} chosen={draft} onChange={setDraft} />
    </Modal>
  )
}
