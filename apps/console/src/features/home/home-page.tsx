import * as api from '@tidegate/contract/api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { DEFAULT_NAME, useStatus } from '../../api/status.ts'
import { OperatorContent } from '../../components/operator-content.tsx'
import { pageAddress } from '../../ui/content/page-address.ts'
import styles from './home.module.css'
import { Landing } from './landing.tsx'

const homeContentQuery = queryOptions({
  queryKey: ['home-page-content'],
  queryFn: ({ signal }) => call(api.getHomePageContent, { signal }),
  staleTime: 60_000,
})

/** The operator's own home page, or the landing page. */
export default function HomePage() {
  const { t } = useTranslation('home')
  const { system_name: name } = useStatus()
  const content = useQuery(homeContentQuery)
  // Blank until the content is loaded, so that the landing page does not flash.
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
