import type { ReactNode } from 'react'
import { HelpIcon } from './help-link.tsx'
import styles from './page-header.module.css'

interface Props {
  title: string
  /** One line about the purpose of the page. */
  purpose?: string
  /** The primary action, at the far end. */
  action?: ReactNode
}

export function PageHeader({ title, purpose, action }: Props) {
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <PageTitle>{title}</PageTitle>
        {purpose && <p className={styles.purpose}>{purpose}</p>}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </header>
  )
}

/** The title with the link to the documentation, for pages with another header. */
export function PageTitle({ children }: { children: string }) {
  return (
    <div className={styles.titleLine}>
      <h1 className={styles.title}>{children}</h1>
      <HelpIcon />
    </div>
  )
}
