import type { ReactNode } from 'react'
import styles from './states.module.css'

interface Props {
  title: string
  /** One sentence on what would be here. */
  hint?: string
  /** The action that fills the place. */
  action?: ReactNode
  icon?: ReactNode
  /** The state is the whole page, so its title heads the page. */
  isPage?: boolean
}

export function EmptyState({ title, hint, action, icon, isPage = false }: Props) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={styles.state}>
      {icon && (
        <div className={styles.icon} aria-hidden>
          {icon}
        </div>
      )}
      <Heading className={styles.title}>{title}</Heading>
      {hint && <p className={styles.hint}>{hint}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
