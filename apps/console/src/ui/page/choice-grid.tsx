import { SearchOutlined } from '@ant-design/icons'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './choice-grid.module.css'
import { Button, Input } from '../kit/index.ts'

interface Props {
  /** Accessible name. */
  label: string
  names: readonly string[]
  chosen: ReadonlySet<string>
  onChange(chosen: ReadonlySet<string>): void
}

/** A searchable grid of checkboxes. Native inputs, because there may be hundreds. */
export function ChoiceGrid({ label, names, chosen, onChange }: Props) {
  const { t } = useTranslation()
  const [searchText, setSearchText] = useState('')
  const query = useDeferredValue(searchText).trim().toLowerCase()
  const shown = names.filter((name) => name.toLowerCase().includes(query))
  const toggle = (changed: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const name of changed) {
      if (isChosen) next.add(name)
      else next.delete(name)
    }
    onChange(next)
  }
  return (
    <div className={styles.picker}>
      <div className={styles.tools}>
        <Input
          className={styles.search}
          aria-label={t('search')}
          placeholder={t('search')}
          prefix={<SearchOutlined aria-hidden />}
          allowClear
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
        <Button size="small" onClick={() => toggle(shown, true)} disabled={shown.length === 0}>
          {t('choices.all')}
        </Button>
        <Button size="small" onClick={() => toggle(shown, false)} disabled={shown.length === 0}>
          {t('choices.none')}
        </Button>
        <output className={styles.count}>
          {t('choices.count', { chosen: names.filter((name) => chosen.has(name)).length, total: names.length })}
        </output>
      </div>
      <fieldset className={styles.list} aria-label={label}>
        {shown.length === 0 && <p className={styles.nothing}>{t('choices.nothing')}</p>}
        {shown.map((name) => (
          <label key={name} className={styles.choice} title={name}>
            <input
              type="checkbox"
              checked={chosen.has(name)}
              onChange={(event) => toggle([name], event.target.checked)}
            />
            <span className={`mono ${styles.name}`}>{name}</span>
          </label>
        ))}
      </fieldset>
    </div>
  )
}
