import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DEFAULT_NAME, useStatus } from '../../lib/status.ts'
import { OperatorContent } from '../../ui/rich-content/operator-content.tsx'
import { pageAddress } from '../../ui/rich-content/page-address.ts'
import styles from './home.module.css'
import { Landing } from './landing/landing.tsx'
import { homeContentQuery } from './queries.ts'

/** What the operator put here, or the landing page. */
export default function HomePage() {
  const { t } = useTranslation('home')
  const { system_name: name } = useStatus()
  const content = useQuery(homeContentQuery)
  // Neither of the two, so that one is never seen to give way to the other.
  if (content.isPending) return <div className={styles.pending} aria-busy />
  const text = content.data ?? ''
  if (text.trim() === '') return <Landing />
  return (
    <div className={pageAddress(text) ? undefined : styles.custom}>
      <h1 className="visually-hidden">{name || DEFAULT_NAME}</h1>
      <OperatorContent
        text={text}
        title={t('contentOf', { name: name || DEFAULT_NAME })}
        page="home"
        frameClass={styles.wholePage}
      />
    </div>
  )
}
