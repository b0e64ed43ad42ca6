import { HistoryOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import styles from './history.module.css'
import { useOpenHistory } from './open-history.ts'

interface Props {
  optionKey: string
  label: string
  /** Seen at once, not only by who comes near. */
  isShown?: boolean
}

/** Leads from a field to what it was before. Plain, because a page has a hundred of them. */
export function HistoryButton({ optionKey, label, isShown = false }: Props) {
  const { t } = useTranslation('settings')
  const open = useOpenHistory()
  if (!open) return null
  const words = t('history.openOf', { label })
  return (
    <button
      type="button"
      className={styles.opener}
      data-shown={isShown || undefined}
      // Its name as well: a label would be found beside that of the field.
      title={words}
      onClick={() => open(optionKey)}
    >
      <HistoryOutlined aria-hidden />
    </button>
  )
}
