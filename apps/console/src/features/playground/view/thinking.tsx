import { BulbOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './view.module.css'

interface Props {
  text: string
  milliseconds: number
  /** The model has not begun to speak. */
  isOpenEnded: boolean
}

/** What the model thought, folded: few want to read it, and it is long. */
export function Thinking({ text, milliseconds, isOpenEnded }: Props) {
  const { t } = useTranslation('playground')
  const [isOpen, setIsOpen] = useState(false)
  const seconds = (milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)
  return (
    <details className={styles.thinking} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <BulbOutlined aria-hidden />
        <span className="number">
          {isOpenEnded ? t('answer.thinkingNow', { seconds }) : t('answer.thoughtFor', { seconds })}
        </span>
      </summary>
      {isOpen && <div className={styles.thought}>{text}</div>}
    </details>
  )
}
