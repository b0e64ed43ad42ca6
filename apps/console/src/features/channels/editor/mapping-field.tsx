import { CloseOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { Button, Input } from '../../../ui/kit/index.ts'
import styles from './editor.module.css'
import { mappingRows, mappingText, type MappingRow } from './mapping-text.ts'

const EXAMPLE: MappingRow = { from: 'gpt-4o', to: 'gpt-4o-2024-11-20' }
const BLANK: MappingRow = { from: '', to: '' }

interface Props {
  /** Given by the form. */
  id?: string
  value?: string
  onChange?(text: string): void
  label: string
}

/** A model mapping, as rows or as JSON. */
export function MappingField({ id, value = '', onChange, label }: Props) {
  const { t } = useTranslation('channels')
  const [draft, setDraft] = useState(() => ({ text: value, rows: mappingRows(value) }))
  const [prefersText, setPrefersText] = useState(draft.rows === null)
  // The form or the JSON field changed the value.
  if (draft.text !== value) setDraft({ text: value, rows: mappingRows(value) })
  const { rows } = draft
  if (prefersText || rows === null) {
    return (
      <>
        <JsonField
          {...(id !== undefined && { id })}
          label={label}
          template={mappingText([EXAMPLE])}
          value={value}
          {...(onChange && { onChange })}
        />
        <div className={styles.helpers}>
          <Button size="small" disabled={rows === null} onClick={() => setPrefersText(false)}>
            {t('form.mappingAsRows')}
          </Button>
        </div>
      </>
    )
  }
  const write = (next: MappingRow[]) => {
    const text = mappingText(next)
    setDraft({ text, rows: next }) // also rows that are not in the text yet
    onChange?.(text)
  }
  return (
    <>
      {rows.map((row, index) => {
        const number = index + 1
        const set = (change: Partial<MappingRow>) => write(rows.with(index, { ...row, ...change }))
        return (
          // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity
          <div key={index} className={styles.mappingRow}>
            <Input
              {...(index === 0 && id !== undefined && { id })}
              className="mono"
              aria-label={t('form.mappingFrom', { number })}
              placeholder={EXAMPLE.from}
              spellCheck={false}
              status={isRepeated(row, rows) ? 'error' : ''}
              value={row.from}
              onChange={(event) => set({ from: event.target.value })}
            />
            <span aria-hidden>→</span>
            <Input
              className="mono"
              aria-label={t('form.mappingTo', { number })}
              placeholder={EXAMPLE.to}
              spellCheck={false}
              value={row.to}
              onChange={(event) => set({ to: event.target.value })}
            />
            <Button
              type="text"
              aria-label={t('form.mappingRemove', { number })}
              icon={<CloseOutlined aria-hidden />}
              onClick={() => write(rows.toSpliced(index, 1))}
            />
          </div>
        )
      })}
      <div className={styles.helpers}>
        <Button size="small" onClick={() => write([...rows, BLANK])}>
          {t('form.mappingAdd')}
        </Button>
        <Button size="small" type="text" onClick={() => setPrefersText(true)}>
          {t('form.mappingAsText')}
        </Button>
      </div>
    </>
  )
}

function isRepeated({ from }: MappingRow, rows: readonly MappingRow[]): boolean {
  return from !== '' && rows.filter((other) => other.from.trim() === from.trim()).length > 1
}
