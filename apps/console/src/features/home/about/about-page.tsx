import * as api from '@tidegate/contract/api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { call } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { DEFAULT_NAME, useStatus } from '../../../api/status.ts'
import { OperatorContent } from '../../../components/operator-content.tsx'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { pageAddress } from '../../../ui/content/page-address.ts'
import { GuideLink } from '../../../ui/page/help-link.tsx'
import styles from '../home.module.css'

const aboutQuery = queryOptions({
  queryKey: ['about'],
  queryFn: ({ signal }) => call(api.getAbout, { signal }),
  staleTime: 60_000,
})

/** The operator's text about the site, or a default text. */
export default function AboutPage() {
  const { t } = useTranslation('about')
  const { system_name: name } = useStatus()
  const about = useQuery(aboutQuery)
  const text = about.data?.trim() ?? ''
  const title = t('title', { name: name || DEFAULT_NAME })
  return (
    <div className={pageAddress(text) ? undefined : styles.about}>
      <h1 className={text === '' ? styles.aboutTitle : 'visually-hidden'}>{title}</h1>
      {about.isPending && <SkeletonLines lines={4} />}
      {about.isError && (
        <LoadError title={t('failed')} error={about.error} retrying={about.isFetching} onRetry={about.refetch} />
      )}
      {text !== '' && <OperatorContent text={text} title={title} page="about" />}
      {about.isSuccess && text === '' && <DefaultAbout />}
    </div>
  )
}

function DefaultAbout() {
  const { t } = useTranslation('about')
  const { system_name: name, version, server_address: address } = useStatus()
  const isRoot = useSession((session) => api.isRoot(session.user?.role ?? 0))
  return (
    <>
      <p className={styles.aboutText}>{t('words', { name: name || DEFAULT_NAME })}</p>
      <p className={styles.aboutText}>
        <Trans
          t={t}
          i18nKey="next"
          components={{ prices: <Link to="/pricing" />, tokens: <Link to="/app/tokens" /> }}
        />
      </p>
      <dl className={styles.aboutFacts}>
        <div>
          <dt>{t('address')}</dt>
          <dd className="mono">{address || window.location.origin}</dd>
        </div>
        <div>
          <dt>{t('version')}</dt>
          <dd className="number">{version}</dd>
        </div>
      </dl>
      <p className={styles.guide}>
        <GuideLink />
      </p>
      {isRoot && (
        <p className={styles.aboutNote}>
          <Trans t={t} i18nKey="owner" components={{ settings: <Link to="/admin/settings?tab=other" /> }} />
        </p>
      )}
    </>
  )
}
