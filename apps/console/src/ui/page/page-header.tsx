import type { ReactNode } from 'react'
import { HelpIcon } from './help-link.tsx'
import styles from './page-header.module.css'

interface Props {
  title: string
  /** One line about the purpose of the page. */
  purpose?: string
  /** The primary action, at the far end. */
  action?: ReactNode
  /** On phones the action stays at the bottom of the window. */
  sticky?: boolean
}

export function PageHeader({ title, purpose, action, sticky = false }: Props) {
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <PageTitle>{title}</PageTitle>
        {purpose && <p className={styles.purpose}>{purpose}</p>}
      </div>
      {action && (
        <div className={styles.action} data-sticky={sticky || undefined}>
          {action}
        </div>
      )}
    </header>
  )
}

/** Actions at the bottom of the window, like a sticky action. Only for phones. */
export function PhoneActions({ children }: { children: ReactNode }) {
  return (
    <div className={styles.action} data-sticky>
      {children}
    </div>
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
