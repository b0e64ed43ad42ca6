import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatSpending } from '../../lib/format.ts'
import { Alert } from '../../ui/kit/index.ts'
import { uncoveredQuery } from './queries.ts'
import type { Span } from './view.ts'

interface Props {
  /** Blank for the whole site. */
  username: string
  span: Pick<Span, 'start' | 'end'>
}

/** What could not be collected within the period; nothing while that is zero. */
export function UncoveredNotice({ username, span }: Props) {
  const { t } = useTranslation('dashboard')
  const { data } = useQuery(uncoveredQuery({ username, span }))
  if (!data || data.requests === 0) return null
  const search = new URLSearchParams({
    uncovered: '1',
    range: 'custom',
    start: String(span.start),
    end: String(span.end),
    ...(username !== '' && { username }),
  })
  const amount = `${data.capped ? '≥ ' : ''}${formatSpending(data.quota)}`
  return (
    <Alert
      type="warning"
      showIcon
      title={t('uncovered', { amount, count: data.requests })}
      action={<Link to={`/app/logs/api-usage?${search}`}>{t('uncoveredAction')}</Link>}
    />
  )
}
