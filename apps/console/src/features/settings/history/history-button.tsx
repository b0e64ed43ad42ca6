import { HistoryOutlined } from '@ant-design/icons'
import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './history.module.css'

/** Opens the history of an option. Null on pages without a history. */
export const OpenHistory = createContext<((key: string) => void) | null>(null)

interface Props {
  optionKey: string
  label: string
  /** Always visible, not only on hover and focus. */
  isShown?: boolean
}

/** Opens the history of an option. A plain button, because a page has a hundred of them. */
export function HistoryButton({ optionKey, label, isShown = false }: Props) {
  const { t } = useTranslation('settings')
  const open = useContext(OpenHistory)
  if (!open) return null
  return (
    <button
      type="button"
      className={styles.opener}
      data-shown={isShown || undefined}
      // Also its accessible name. An aria-label would match searches for the label of the field.
      title={t('history.openOf', { label })}
      onClick={() => open(optionKey)}
    >
      <HistoryOutlined aria-hidden />
    </button>
  )
}
