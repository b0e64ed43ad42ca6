import { lazy, Suspense, type ReactNode } from 'react'
import { useMedia } from '../../lib/use-media.ts'
import { GuideLink } from '../../ui/page/help-link.tsx'
import styles from './auth-panel.module.css'

// Phones and tablets do not show it.
const Introduction = lazy(() => import('./introduction.tsx'))

interface Props {
  title: string
  purpose?: ReactNode
  width?: 'small' | 'medium'
  children: ReactNode
}

/** The page of a form without an account: sign-in, registration, password reset, setup. */
export function AuthPanel({ title, purpose, width = 'small', children }: Props) {
  const isWide = useMedia('(min-width: 900px)')
  return (
    <div className={styles.page}>
      {isWide && (
        <div className={styles.introduction}>
          <Suspense>
            <Introduction />
          </Suspense>
        </div>
      )}
      <div className={styles.half}>
        <section className={styles.panel} data-width={width} aria-labelledby="panel-title">
          <h1 id="panel-title" className={styles.title}>
            {title}
          </h1>
          {purpose && <p className={styles.purpose}>{purpose}</p>}
          {children}
          <div className={styles.help}>
            <GuideLink />
          </div>
        </section>
      </div>
    </div>
  )
}
