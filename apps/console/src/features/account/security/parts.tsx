import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { Time } from '../../../ui/page/time.tsx'
import styles from './security.module.css'

interface PanelProps {
  title: string
  hint: string
  /** A status beside the title. */
  tag?: ReactNode
  /** A button at the end of the title row. */
  action?: ReactNode
  children?: ReactNode
}

/** One topic of the security settings. */
export function Panel({ title, hint, tag, action, children }: PanelProps) {
  const id = useId()
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.heading}>
          <div className={styles.title}>
            <h2 id={id}>{title}</h2>
            {tag}
          </div>
          <p className={styles.hint}>{hint}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

interface RowProps {
  icon?: ReactNode
  title: ReactNode
  /** A status beside the title. */
  tag?: ReactNode
  text?: ReactNode
  actions?: ReactNode
}

export function Row({ icon, title, tag, text, actions }: RowProps) {
  return (
    <li className={styles.row}>
      {icon && (
        <span className={styles.icon} aria-hidden>
          {icon}
        </span>
      )}
      <div className={styles.content}>
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
  return <SkeletonLines lines={3} className={styles.loading} />
}

/** A time in ISO format. */
export function IsoTime({ at }: { at: string }) {
  return <Time unixSeconds={Math.floor(Date.parse(at) / 1000)} />
}

interface UsageTimesProps {
  created_at: string
  last_used_at: string | null
  texts: 'token' | 'passkeys'
}

/** When a token or passkey was created and last used. */
export function UsageTimes({ created_at, last_used_at, texts }: UsageTimesProps) {
  const { t } = useTranslation('security')
  return (
    <>
      {t(texts === 'token' ? 'token.createdAt' : 'passkeys.created')} <IsoTime at={created_at} /> ·{' '}
      {last_used_at === null ? (
        t(`${texts}.neverUsed`)
      ) : (
        <>
          {t(`${texts}.lastUsed`)} <IsoTime at={last_used_at} />
        </>
      )}
    </>
  )
}
