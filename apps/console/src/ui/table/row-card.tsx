import { DownOutlined } from '@ant-design/icons'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './row-card.module.css'

interface Props {
  title: ReactNode
  /** A short text after the title. Cut if the line has too little space. */
  note?: ReactNode
  /** The most important value, at the end of the line. */
  aside?: ReactNode
  /** A second line, for a problem only. */
  problem?: ReactNode
  children?: ReactNode
  /** With details they are shown together. */
  actions?: ReactNode
  /** Shown after a tap on the card. */
  details?: ReactNode
}

/** A table row as a card of one line: title, note and main value, then the others or a button that shows them. */
export function RowCard({ title, note, aside, problem, children, actions, details }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <article className={styles.card} data-opens={details ? true : undefined}>
      <div className={styles.top}>
        <div id={`${id}-title`} className={styles.title}>
          {title}
        </div>
        <div className={styles.note}>{note}</div>
        {aside && <div className={styles.aside}>{aside}</div>}
        {details && (
          <button
            id={`${id}-open`}
            type="button"
            className={styles.opener}
            aria-label={t('details')}
            aria-labelledby={`${id}-open ${id}-title`}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <DownOutlined aria-hidden rotate={isOpen ? 180 : 0} />
          </button>
        )}
      </div>
      {problem && <div className={styles.problem}>{problem}</div>}
      {children}
      {isOpen && <div className={styles.details}>{details}</div>}
      {actions && (isOpen || !details) && <div className={styles.actions}>{actions}</div>}
    </article>
  )
}
