import { SettingOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHasCards, useIsSmallScreen } from '../../lib/use-media.ts'
import { Button, Checkbox, Modal } from '../kit/index.ts'
import type { useColumnChoice } from './column-choice.ts'
import styles from './column-settings.module.css'

export interface ColumnChoice {
  key: string
  title: string
  shown: boolean
}

interface Props {
  open: boolean
  onClose(): void
  columns: readonly ColumnChoice[]
  onChange(shown: Record<string, boolean>): void
  /** Restores the default columns. */
  onReset(): void
}

/** Dialog to select the visible columns. Changes apply immediately. */
export function ColumnSettings({ open, onClose, columns, onChange, onReset }: Props) {
  const { t } = useTranslation()
  const shownCount = columns.filter(({ shown }) => shown).length
  const choose = (isShown: (column: ColumnChoice) => boolean) =>
    onChange(Object.fromEntries(columns.map((column) => [column.key, isShown(column)])))
  return (
    <Modal
      title={t('columns.title')}
      open={open}
      onCancel={onClose}
      width={440}
      destroyOnHidden
      footer={[
        <Button key="reset" onClick={onReset}>
          {t('reset')}
        </Button>,
        <Button key="done" type="primary" onClick={onClose}>
          {t('done')}
        </Button>,
      ]}
    >
      <Checkbox
        checked={shownCount === columns.length}
        indeterminate={shownCount > 0 && shownCount < columns.length}
        onChange={(event) => choose(() => event.target.checked)}
      >
        {t('columns.all')}
      </Checkbox>
      <div className={styles.columns}>
        {columns.map(({ key, title, shown }) => (
          <Checkbox
            key={key}
            checked={shown}
            onChange={(event) => choose((column) => (column.key === key ? event.target.checked : column.shown))}
          >
            {title}
          </Checkbox>
        ))}
      </div>
    </Modal>
  )
}

interface ButtonProps<Key extends string> {
  choice: ReturnType<typeof useColumnChoice<Key>>
  titleOf(key: Key): string
}

/** Opens the column settings. Hidden on phones, which show cards instead of columns. */
export function ColumnSettingsButton<Key extends string>({ choice, titleOf }: ButtonProps<Key>) {
  const { t } = useTranslation()
  const hasCards = useHasCards()
  const isSmall = useIsSmallScreen()
  const [open, setOpen] = useState(false)
  return (
    <>
      {!hasCards && (
        <Button icon={<SettingOutlined aria-hidden />} aria-label={t('columns.title')} onClick={() => setOpen(true)}>
          {!isSmall && t('columns.title')}
        </Button>
      )}
      <ColumnSettings
        open={open}
        onClose={() => setOpen(false)}
        columns={choice.offered.map((key) => ({ key, title: titleOf(key), shown: choice.shown.includes(key) }))}
        onChange={choice.choose}
        onReset={choice.reset}
      />
    </>
  )
}
