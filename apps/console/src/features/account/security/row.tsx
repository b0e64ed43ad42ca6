import type { ReactNode } from 'react'
import { Skeleton } from '../../../ui/kit/index.ts'
import styles from './security.module.css'

interface Props {
  icon?: ReactNode
  title: ReactNode
  /** Beside the title: a word on how things stand. */
  tag?: ReactNode
  text?: ReactNode
  actions?: ReactNode
}

/** One thing of a list: what it is, how it stands, what can be done about it. */
export function Row({ icon, title, tag, text, actions }: Props) {
  return (
    <li className={styles.row}>
      {icon && (
        <span className={styles.icon} aria-hidden>
          {icon}
        </span>
      )}
      <div className={styles.words}>
        <div className={styles.title}>
          {title}
          {tag}
        </div>
        {text && <div className={styles.text}>{text}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </li>
  )
}

export function Rows({ children }: { children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>
}

export function LoadingRows() {
  return <Skeleton active className={styles.loading} title={false} paragraph={{ rows: 3 }} />
}
