import { RightOutlined } from '@ant-design/icons'
import { useId, type ReactNode } from 'react'
import styles from './form-section.module.css'

interface Props {
  title: string
  hint?: string
  children: ReactNode
  /** Makes the section collapsible. Collapsed fields stay part of the form. */
  fold?: { open: boolean; onToggle(): void }
}

/** A section of a long form, with a heading. */
export function FormSection({ title, hint, children, fold }: Props) {
  const id = useId()
  const isOpen = fold?.open ?? true
  return (
    <section className={styles.section} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className={styles.title}>
        {fold ? (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isOpen}
            aria-controls={`${id}-body`}
            onClick={fold.onToggle}
          >
            <RightOutlined aria-hidden className={styles.arrow} />
            {title}
          </button>
        ) : (
          title
        )}
        {hint && <span className={styles.hint}>{hint}</span>}
      </h3>
      <div id={`${id}-body`} hidden={!isOpen}>
        {children}
      </div>
    </section>
  )
}
