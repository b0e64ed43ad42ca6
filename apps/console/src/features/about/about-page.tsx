import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DEFAULT_NAME, useStatus } from '../../lib/status.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/kit/index.ts'
import { OperatorContent } from '../../ui/rich-content/operator-content.tsx'
import { pageAddress } from '../../ui/rich-content/page-address.ts'
import styles from './about.module.css'
import { DefaultAbout } from './default-about.tsx'
import { aboutQuery } from './queries.ts'

/** What the operator says about the site, or a few plain words. */
export default function AboutPage() {
  const { t } = useTranslation('about')
  const { system_name: name } = useStatus()
  const about = useQuery(aboutQuery)
  const text = about.data?.trim() ?? ''
  const title = t('title', { name: name || DEFAULT_NAME })
  return (
    <div className={pageAddress(text) ? undefined : styles.about}>
      <h1 className={text === '' ? styles.title : 'visually-hidden'}>{title}</h1>
      {about.isPending && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {about.isError && (
        <ErrorState title={t('failed')} error={about.error} retrying={about.isFetching} onRetry={about.refetch} />
      )}
      {text !== '' && <OperatorContent text={text} title={title} page="about" />}
      {about.isSuccess && text === '' && <DefaultAbout />}
    </div>
  )
}
